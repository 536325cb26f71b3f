import type { Json } from './json.ts';

// Networks take the same field as JSON, form or query text; these read one whatever its dress.

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

/** A whole number within bounds, or the fallback. */
export function asCount(value: Json | undefined | null, fallback: number, max: number): number {
  const number = Number(value ?? Number.NaN);
  return Number.isInteger(number) && number > 0 ? Math.min(number, max) : fallback;
}
