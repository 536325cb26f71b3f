import { type PostSummary, timeOf } from '../../../lib/posts/post-summary.ts';
import type { SlotTime } from '../adding/free-slots.ts';

/** A post or a free posting slot. */
export type Entry = { key: string; at: string; post: PostSummary } | { key: string; at: string; slot: SlotTime };

/** What a day or hour shows, in chronological order, and how many posts don't fit. Slots only fill free places. */
export function entriesOf(
  posts: readonly PostSummary[],
  slots: readonly SlotTime[],
  { max, pickedUpId }: { max: number; pickedUpId: string | null },
): { entries: Entry[]; hidden: number } {
  const first = posts.length > max ? posts.slice(0, max - 1) : posts;
  // A post that is picked up by keyboard is always visible.
  const pickedUp = posts.find(({ postGroupId }) => postGroupId === pickedUpId);
  const shown = pickedUp && !first.includes(pickedUp) ? [...first, pickedUp] : first;
  const hidden = posts.length - shown.length;
  const free = hidden > 0 ? [] : slots.slice(0, Math.max(0, max - shown.length));
  const entries = [
    ...shown.map((post): Entry => ({ key: post.postGroupId, at: timeOf(post)!, post })),
    ...free.map((slot): Entry => {
      const at = slot.at.toISOString();
      return { key: `${at} ${slot.platformId}`, at, slot };
    }),
  ];
  return { entries: entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)), hidden };
}
