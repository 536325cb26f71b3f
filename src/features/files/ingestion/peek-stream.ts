import { openBytes } from '../inspection/bytes.ts';
import { detectType } from '../inspection/detect-type.ts';
import type { FileType } from '../inspection/inspection.ts';

/** Reads the first bytes of a stream. `whole` yields the stream from its beginning. */
export async function peekStream(source: AsyncIterable<Uint8Array>, bytes: number) {
  const iterator = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < bytes) {
    const { value, done } = await iterator.next();
    if (done) break;
    first.push(value);
    length += value.byteLength;
  }
  async function* whole() {
    try {
      yield* first;
      for (;;) {
        const { value, done } = await iterator.next();
        if (done) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { head: new Uint8Array(Buffer.concat(first)), whole: whole() };
}

/** Enough of a file to detect its type. */
export const headBytes = 4_096;

/** The type of a file by its first bytes, before anything is stored. Throws InspectionError. */
export function typeOfHead(head: Uint8Array): Promise<FileType> {
  const source = { size: head.length, read: async (start: number, end: number) => head.slice(start, end) };
  return detectType(openBytes(source, AbortSignal.timeout(5_000)));
}
