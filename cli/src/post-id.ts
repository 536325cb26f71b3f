import { wrongUse } from './failures.ts';

/** Reads the id of a post from the command line. */
export function postIdOf(text: string): string {
  if (/^[0-9a-f]{24}$/.test(text)) return text;
  throw wrongUse(`"${text}" is not a post id.`, 'Post ids have 24 hex digits. Find them with: crier list');
}
