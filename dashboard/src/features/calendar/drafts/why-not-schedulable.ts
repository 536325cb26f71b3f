import type { PostRow } from '../../posts/list/rows.ts';

/** Why a draft can't be put on the calendar yet. Null: it can. The service checks the rest. */
export function whyNotSchedulable({ draftId, platforms, content, thumbnail }: PostRow): string | null {
  if (platforms.length === 0) return 'No channel yet. Open it to choose one.';
  if (content.trim() === '' && !thumbnail) return 'Empty. Open it to write some text.';
  // The composer keeps what isn't a valid post yet.
  return draftId ? 'Not finished. Open it to see what’s missing.' : null;
}
