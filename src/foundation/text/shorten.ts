import type { Json } from '../lib/json.ts';

/** At most `max` UTF-16 units, with an ellipsis if text was cut. Never splits a surrogate pair. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Same, for every text inside a value. */
export function shortenStrings(value: Json, max: number): Json {
  if (typeof value === 'string') return shorten(value, max);
  if (Array.isArray(value)) return value.map((item) => shortenStrings(item, max));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [shorten(name, max), shortenStrings(field, max)]),
  );
}
