import { PlatformError } from '../kit/index.ts';
import { limits } from './limits.ts';

/** A part that is too long would leave an incomplete thread. For a single post, Threads rejects it before anything is published. */
export function assertLength(text: string): void {
  const length = lengthOf(text);
  if (length <= limits.text.max) return;
  throw new PlatformError(
    'rejected',
    'A part of the thread is too long for Threads, which counts an emoji as four or more characters. Shorten that part.',
    { code: 'THREADS_INVALID_THREAD_PART', reason: `${length} of ${limits.text.max} characters` },
  );
}

/** Threads counts characters, but an emoji counts as its bytes in UTF-8 (documentation read 2026-11). */
export function lengthOf(text: string): number {
  let length = 0;
  for (const { segment } of graphemes.segment(text)) {
    length += emoji.test(segment) ? Buffer.byteLength(segment) : [...segment].length;
  }
  return length;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const emoji = /^\p{RGI_Emoji}$/v;
