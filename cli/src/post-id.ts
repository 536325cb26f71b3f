import { wrongUse } from './failures.ts';

/** Parses a post id from the command line. */
export function postIdOf(text: string): string {
  if (/^[0-9a-f]{24}$/.test(text)) return text;
  throw wrongUse(`"${text}" is not a post id.`, 'Post ids have 24 hex digits. Find them with: crier list');
}
