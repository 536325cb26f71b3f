import type { Call } from '../../platform.ts';
import { refuse } from './errors.ts';

/** Reads `?fields=a,b`. The parameter is mandatory, and every name must be known. */
export function readFields(call: Call, known: readonly string[]): string[] {
  const asked = (call.query.get('fields') ?? '').split(',').filter(Boolean);
  if (asked.length === 0) refuse('invalid_params', 'Fields is required');
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown !== undefined) refuse('invalid_params', `Invalid field: ${unknown}`);
  return asked;
}

export function pick<T>(fields: readonly string[], from: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => fields.includes(name)));
}
