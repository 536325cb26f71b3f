import type { ChangeResult, CompactPostGroup, ComposerDraft, ListPostsInput } from '@crier/client';
import { crier } from './api.ts';

export type { ChangeResult, ComposerDraft };
export type ListInput = Pick<
  ListPostsInput,
  'page' | 'limit' | 'status' | 'channel' | 'q' | 'from' | 'to' | 'sortBy' | 'sortOrder'
>;

/** What lists and the calendar ask for. */
export const postsApi = {
  async listCompact(input: ListInput, signal?: AbortSignal) {
    const { posts, pagination } = await crier.listPosts({ ...input, fields: 'compact' }, { signal });
    return { posts: (posts as CompactPostGroup[]).map(withDots), pagination };
  },
  retryPost: (postGroupId: string) => crier.retryPost({ postGroupId }),
  /** At most 500 in a call. */
  reschedulePosts: (postGroupIds: readonly string[], byMinutes: number) =>
    crier.reschedulePosts({ postGroupIds: [...postGroupIds], byMinutes }),
  deletePosts: (postGroupIds: readonly string[]) => crier.deletePosts({ postGroupIds: [...postGroupIds] }),
  listDrafts: async (signal?: AbortSignal) => (await crier.listDrafts({ limit: 100 }, { signal })).drafts,
  deleteDraft: (draftId: string) => crier.deleteDraft({ draftId }),
};

/** Lists get this many characters of a text. */
const sentLength = 140;

/** A text of that length goes on, most likely. */
const withDots = (post: CompactPostGroup): CompactPostGroup =>
  [...post.content].length < sentLength ? post : { ...post, content: `${post.content}…` };
