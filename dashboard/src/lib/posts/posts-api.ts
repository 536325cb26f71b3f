import type { ChangeResult, CompactPostGroup, ComposerDraft, ListPostsInput } from '@crier/client';
import { crier } from '../api.ts';
import { asOwnerOfPost, asOwners, brandsInput, rememberOwners, type Scope } from '../brands/brand.ts';
import { isHidden } from './hidden-posts.ts';

export type { ChangeResult, ComposerDraft };
export type ListInput = Pick<
  ListPostsInput,
  'cursor' | 'limit' | 'status' | 'channel' | 'q' | 'label' | 'from' | 'to' | 'sortBy' | 'sortOrder'
>;

/** Requests of lists and the calendar. */
export const postsApi = {
  async listCompact(input: ListInput, signal?: AbortSignal, { userId, ...brands }: Scope = brandsInput()) {
    const options = { signal, userId };
    const { posts, pagination } = await crier.listPosts({ ...input, ...brands, fields: 'compact' }, options);
    rememberOwners(posts as CompactPostGroup[]);
    const shown = (posts as CompactPostGroup[]).filter(({ postGroupId }) => !isHidden(postGroupId));
    return { posts: shown.map(withEllipsis), pagination };
  },
  retryPost: (postGroupId: string) => crier.retryPost({ postGroupId }, asOwnerOfPost(postGroupId)),
  /** With a version, only if the post hasn't changed since. */
  reschedulePost: (postGroupId: string, scheduledTime: string, version?: number) =>
    crier.updatePost(
      { postGroupId, scheduledTime, ...(version !== undefined && { version }) },
      asOwnerOfPost(postGroupId),
    ),
  /** Only if the draft hasn't changed since it was read. */
  scheduleDraft: (postGroupId: string, scheduledTime: string, version?: number) =>
    crier.updatePost(
      { postGroupId, status: 'scheduled', scheduledTime, ...(version !== undefined && { version }) },
      asOwnerOfPost(postGroupId),
    ),
  unschedulePost: (postGroupId: string) =>
    crier.updatePost({ postGroupId, status: 'draft' }, asOwnerOfPost(postGroupId)),
  relabelPost: (postGroupId: string, labels: string[]) =>
    crier.updatePost({ postGroupId, labels }, asOwnerOfPost(postGroupId)),
  /** At most 500 per call. */
  reschedulePosts: (postGroupIds: readonly string[], byMinutes: number) =>
    asOwners(postGroupIds, (ids, options) => crier.reschedulePosts({ postGroupIds: ids, byMinutes }, options)),
  listDrafts: async (signal?: AbortSignal) =>
    (await crier.listDrafts({ limit: 100 }, { signal })).drafts.filter(({ _id }) => !isHidden(_id)),
};

/** The compact list truncates texts to this length. */
const compactLength = 140;

/** A text of exactly this length is most likely truncated. */
const withEllipsis = (post: CompactPostGroup): CompactPostGroup =>
  [...post.content].length < compactLength ? post : { ...post, content: `${post.content}…` };
