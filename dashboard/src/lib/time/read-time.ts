import type { Clock, WallTime } from './time.ts';

export type ClockTime = Pick<WallTime, 'hour' | 'minute'>;

/** `9`, `9:30`, `9:30:00`, `14.30`, `9h30`, `9 Uhr`, `9.30 Uhr`, `2pm`, `2:30 PM`, `noon`. */
export function readTime(text: string): ClockTime | null {
  const word = text.trim().toLowerCase();
  if (word === 'noon') return { hour: 12, minute: 0 };
  if (word === 'midnight') return { hour: 0, minute: 0 };
  const match = /^(\d{1,2})(?:(?:[:.h]|\s*uhr\s*)(\d{2})(?::[0-5]\d)?)?\s*(?:uhr|h|(a\.?m\.?|p\.?m\.?))?$/.exec(word);
  if (!match) return null;
  const [, hours, minutes = '0', half] = match;
  const [hour, minute] = [Number(hours), Number(minutes)];
  if (minute > 59 || hour > 23 || (half && (hour < 1 || hour > 12))) return null;
  if (!half) return { hour, minute };
  return { hour: (hour % 12) + (half.startsWith('p') ? 12 : 0), minute };
}

/** `09:30`. */
export const timeText = ({ hour, minute }: ClockTime): Clock => `${two(hour)}:${two(minute)}`;

const two = (number: number) => String(number).padStart(2, '0');
