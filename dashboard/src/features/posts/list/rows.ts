import { hasWords, type PostSummary } from '../../../lib/posts/post-summary.ts';
import type { ComposerDraft } from '../../../lib/posts/posts-api.ts';
import type { PostFilters, Sorting } from './filters.ts';

/** A row of the list: a post or a composer draft. */
export interface PostRow extends PostSummary {
  /** Set if it isn't a post yet. */
  draftId?: string;
}

/** A composer draft as a row. Its format is internal to the composer, so validate every field. */
export function rowOfDraft({ _id, draft, updatedAt }: ComposerDraft): PostRow {
  const { channels: named, text, labels } = Object(draft) as Record<'channels' | 'text' | 'labels', unknown>;
  const channels = textsIn(named);
  return {
    postGroupId: _id,
    draftId: _id,
    content: typeof text === 'string' ? text : '',
    status: 'draft',
    scheduledTime: null,
    updatedAt,
    labels: textsIn(labels),
    platforms: channels.map((platformId) => ({
      platformId,
      platform: platformId.slice(0, platformId.indexOf('-')),
      status: 'draft',
    })),
    thumbnail: null,
  };
}

const textsIn = (list: unknown): string[] => (Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []);

/** A draft of the composer has no time yet. */
export function matchesDraft(row: PostRow, { channel, label, dates, q }: PostFilters): boolean {
  const isOfChannel = !channel || row.platforms.some(({ platformId }) => platformId === channel);
  return !dates && isOfChannel && (!label || row.labels?.includes(label) === true) && hasWords(row.content, q ?? '');
}

/** Puts the composer's drafts among the posts that have been read. */
export function withDrafts(
  drafts: readonly PostRow[],
  posts: readonly PostRow[],
  { sort, order }: Sorting,
  hasMore: boolean,
): PostRow[] {
  if (drafts.length === 0) return [...posts];
  const direction = order === 'asc' ? 1 : -1;
  const placeOf = ({ scheduledTime, createdAt, updatedAt }: PostRow) => {
    const at = { time: scheduledTime, created: createdAt ?? updatedAt, updated: updatedAt }[sort];
    // Posts without a time are last in both directions.
    return at ? direction * Date.parse(at) : Number.POSITIVE_INFINITY;
  };
  const compare = (one: PostRow, other: PostRow) => {
    const [a, b] = [placeOf(one), placeOf(other)];
    return a < b ? -1 : a > b ? 1 : 0;
  };
  const all = [...posts, ...drafts].sort(compare);
  // Posts that haven't been read yet may come before the rest.
  return hasMore ? all.slice(0, all.indexOf(posts.at(-1)!) + 1) : all;
}
