import type { ChangeResult, CompactPostGroup, ComposerDraft, ListPostsInput } from '@crier/client';
import { crier } from './api.ts';

export type { ChangeResult, ComposerDraft };
export type ListInput = Pick<
  ListPostsInput,
  'page' | 'limit' | 'status' | 'channel' | 'q' | 'from' | 'to' | 'sortBy' | 'sortOrder'
>;

/** Requests of lists and the calendar. */
export const postsApi = {
  async listCompact(input: ListInput, signal?: AbortSignal) {
    const { posts, pagination } = await crier.listPosts({ ...input, fields: 'compact' }, { signal });
    return { posts: (posts as CompactPostGroup[]).map(withEllipsis), pagination };
  },
  retryPost: (postGroupId: string) => crier.retryPost({ postGroupId }),
  /** At most 500 per call. */
  reschedulePosts: (postGroupIds: readonly string[], byMinutes: number) =>
    crier.reschedulePosts({ postGroupIds: [...postGroupIds], byMinutes }),
  deletePosts: (postGroupIds: readonly string[]) => crier.deletePosts({ postGroupIds: [...postGroupIds] }),
  listDrafts: async (signal?: AbortSignal) => (await crier.listDrafts({ limit: 100 }, { signal })).drafts,
  deleteDraft: (draftId: string) => crier.deleteDraft({ draftId }),
};

/** The compact list truncates texts to this length. */
const compactLength = 140;

/** A text of exactly this length is most likely truncated. */
const withEllipsis = (post: CompactPostGroup): CompactPostGroup =>
  [...post.content].length < compactLength ? post : { ...post, content: `${post.content}…` };
