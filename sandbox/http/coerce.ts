import type { Json } from './json.ts';

// Platforms accept the same field as JSON, as a form field or in the query. These functions read all three.

export function asText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function asTexts(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.map(asText);
  return value === undefined || value === null || value === '' ? [] : [asText(value)];
}

export function asFlag(value: Json | undefined): boolean {
  return value === true || value === 1 || value === 'true' || value === '1' || value === 'on';
}

/** A positive whole number, at most `max`; otherwise the fallback. */
export function asCount(value: Json | undefined | null, fallback: number, max: number): number {
  const number = Number(value ?? Number.NaN);
  return Number.isInteger(number) && number > 0 ? Math.min(number, max) : fallback;
}
