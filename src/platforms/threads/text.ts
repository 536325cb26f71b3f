import { PlatformError } from '../kit/index.ts';
import { limits } from './limits.ts';

/** Runs before anything is sent, because a part that is too long would leave an incomplete thread. */
export function assertPartLength(text: string): void {
  if (lengthOf(text) > limits.text.max) throw tooLong(text, 'A part of the thread', 'THREADS_INVALID_THREAD_PART');
}

/** Runs before the files are uploaded. */
export function assertPostLength(text: string): void {
  if (lengthOf(text) > limits.text.max) throw tooLong(text, 'The text', null);
}

const tooLong = (text: string, what: string, code: string | null) =>
  new PlatformError(
    'rejected',
    `${what} is too long for Threads, which counts an emoji as four or more characters. Shorten it.`,
    { code, reason: `${lengthOf(text)} of ${limits.text.max} characters` },
  );

/** Threads counts characters, but an emoji counts as its number of UTF-8 bytes (documentation read 2026-11). */
export function lengthOf(text: string): number {
  let length = 0;
  for (const { segment } of graphemes.segment(text)) {
    length += emoji.test(segment) ? Buffer.byteLength(segment) : [...segment].length;
  }
  return length;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const emoji = /^\p{RGI_Emoji}$/v;
