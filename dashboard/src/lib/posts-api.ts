import { Crier } from '@crier/client';
import type { PostSummary } from './post-summary.ts';

export interface ListInput {
  page?: number;
  limit?: number;
  status?: string;
  channel?: string;
  q?: string;
  from?: string;
  to?: string;
  sortBy?: 'createdAt' | 'updatedAt' | 'scheduledTime';
  sortOrder?: 'asc' | 'desc';
}

export interface PostPage {
  posts: PostSummary[];
  pagination: { page: number; hasNextPage: boolean };
}

/** What a person has begun to write and what is no post yet. */
export interface ComposerDraft {
  _id: string;
  version: number;
  draft: Record<string, unknown>;
  updatedAt: string;
}

export interface RetryResult {
  retried: { _id: string; platform: string }[];
  notRetried: { _id: string; platform: string; reason: string; message: string }[];
}

/** What became of each post of a call that changes many. */
export interface ChangeResult {
  postGroupId: string;
  status: number;
  problem?: { error?: string; message?: string; hint?: string };
}

const listQuery = ['page', 'limit', 'status', 'channel', 'q', 'from', 'to', 'sortBy', 'sortOrder', 'fields'];

/** The routes that the dashboard adds to lists and posts. */
class PostsApi extends Crier {
  listCompact = (input: ListInput, signal?: AbortSignal) =>
    this.call<PostPage>(
      { method: 'GET', path: '/list-posts', query: listQuery },
      { ...input, fields: 'compact' },
      { signal },
    );

  retryPost = (postGroupId: string) =>
    this.call<RetryResult>(
      { method: 'POST', path: '/retry-post/{postGroupId}', keyed: 'request' },
      { postGroupId },
      {},
    );

  /** At most 500 at once. */
  reschedulePosts = (postGroupIds: readonly string[], byMinutes: number) =>
    this.call<{ results: ChangeResult[] }>(
      { method: 'POST', path: '/reschedule-posts' },
      { postGroupIds, byMinutes },
      {},
    );

  deletePosts = (postGroupIds: readonly string[]) =>
    this.call<{ results: ChangeResult[] }>({ method: 'POST', path: '/delete-posts' }, { postGroupIds }, {});

  listDrafts = async (signal?: AbortSignal) =>
    (
      await this.call<{ drafts: ComposerDraft[] }>(
        { method: 'GET', path: '/dashboard/drafts', query: ['limit'] },
        { limit: 100 },
        { signal },
      )
    ).drafts;

  deleteDraft = (draftId: string) =>
    this.call<object>({ method: 'DELETE', path: '/dashboard/drafts/{draftId}' }, { draftId }, {});
}

export const postsApi = new PostsApi({ baseUrl: window.location.origin });
