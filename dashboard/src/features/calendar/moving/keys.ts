import { moveDays, moveHours } from '../../../lib/time/time.ts';
import type { View } from '../calendar-range.ts';

const directions: Record<string, 1 | -1> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Where an arrow key moves a post. Null: the key moves nothing. */
export function movedByKey(
  at: Date,
  { key, altKey }: { key: string; altKey: boolean },
  view: View,
  zone: string,
): Date | null {
  const direction = directions[key];
  if (!direction) return null;
  if (altKey) return moveHours(at, direction);
  if (key === 'ArrowLeft' || key === 'ArrowRight') return moveDays(at, direction, zone);
  return view === 'month' ? moveDays(at, 7 * direction, zone) : moveHours(at, direction / 4);
}

/** How to move a post, for screen readers. */
export const keysOf = (view: View): string =>
  `Left and right arrows move it by a day, up and down by ${view === 'month' ? 'a week' : '15 minutes'}, with Alt by an hour.`;
