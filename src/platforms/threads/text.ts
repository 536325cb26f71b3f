import { PlatformError } from '../kit/index.ts';
import { limits } from './limits.ts';

/** One part too long would leave a thread that breaks off before it: of a post by itself, Threads says so in time. */
export function assertLength(text: string): void {
  const length = lengthOf(text);
  if (length <= limits.text.max) return;
  throw new PlatformError(
    'rejected',
    'A part of the thread is too long: Threads counts an emoji by its bytes, mostly four or more.',
    { code: 'THREADS_INVALID_THREAD_PART', reason: `${length} of ${limits.text.max} characters` },
  );
}

/** As Threads counts: characters, but of an emoji its bytes in UTF-8 (documentation read 2026-11). */
export function lengthOf(text: string): number {
  let length = 0;
  for (const { segment } of graphemes.segment(text)) {
    length += emoji.test(segment) ? Buffer.byteLength(segment) : [...segment].length;
  }
  return length;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const emoji = /^\p{RGI_Emoji}$/v;
