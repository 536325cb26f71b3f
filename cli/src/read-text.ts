import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { wrongUse } from './failures.ts';

/** The text of a post: from the argument, a file, or standard input. Null if there is none. */
export async function readText(given: string | undefined, file: string | undefined): Promise<string | null> {
  if (given !== undefined && file !== undefined) throw wrongUse('Give either a text or --file, not both.');
  if (file !== undefined)
    return withoutLastBreak(file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8'));
  if (given !== undefined && given !== '-') return given;
  if (given === '-') return withoutLastBreak(await readAll(process.stdin));
  return null;
}

/** The same, but reads a pipe without `-` and fails if there is no text. */
export async function readTextOrPipe(given: string | undefined, file: string | undefined): Promise<string> {
  const found = await readText(given, file);
  if (found !== null) return found;
  if (!process.stdin.isTTY) return withoutLastBreak(await readAll(process.stdin));
  throw wrongUse('The text is missing.', 'Add it after the command, name a file with --file, or pipe it in.');
}

const withoutLastBreak = (text: string) => text.replace(/\r?\n$/, '');

/** A thread is a text with lines of three dashes. Without such lines, each paragraph becomes a part. */
export function asThread(text: string): string {
  if (/^---$/m.test(text)) return text;
  return text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n---\n');
}
