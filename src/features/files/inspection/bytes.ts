import { setImmediate } from 'node:timers/promises';

/** A stored file, on disk or in S3, that is read by range. */
export interface MediaSource extends ByteSource {
  /** The id of the user who owns the file: users take turns. */
  readonly owner: string;
}

export interface ByteSource {
  readonly size: number;
  /** The bytes from `start` up to, but not including, `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
  /** The whole file in order. If missing, ranges are read one after the other. */
  stream?(): ReadableStream<Uint8Array>;
}

/** A source for parsers: ranges are clamped to the file, and small ones are served from cached blocks. */
export interface Bytes {
  readonly size: number;
  /** The number of bytes requested from the source so far. */
  readonly bytesRead: number;
  read(start: number, end: number): Promise<Uint8Array>;
  /** The whole file in chunks. */
  chunks(): AsyncIterable<Uint8Array>;
}

/**
 * Storage, disk or a process failed. The cause is thrown to the caller, so that the file is not rejected because of
 * it.
 */
export class InternalError extends Error {}

const blockSize = 65_536;
const blocksKept = 32;
const chunkSize = 1_048_576;
/** Reading a cached block never yields, so a parser that reads tiny pieces would block the event loop. */
const readsPerTurn = 500;

export function openBytes(source: ByteSource, signal: AbortSignal): Bytes {
  const blocks = new Map<number, Promise<Uint8Array>>();
  let bytesRead = 0;
  let reads = 0;

  async function ask(start: number, end: number): Promise<Uint8Array> {
    bytesRead += end - start;
    const bytes = await raceAbort(signal, () => wrapInternalErrors(() => source.read(start, end)));
    if (bytes.length !== end - start) {
      throw new InternalError('internal', { cause: new Error(`asked for ${end - start} bytes, got ${bytes.length}`) });
    }
    return bytes;
  }

  function block(number: number): Promise<Uint8Array> {
    const kept = blocks.get(number);
    if (kept) return kept;
    const asked = ask(number * blockSize, Math.min(source.size, (number + 1) * blockSize));
    blocks.set(number, asked);
    if (blocks.size > blocksKept) blocks.delete(blocks.keys().next().value!);
    return asked;
  }

  async function read(start: number, end: number): Promise<Uint8Array> {
    const from = Math.min(Math.max(0, start), source.size);
    const to = Math.min(Math.max(from, end), source.size);
    reads += 1;
    if (reads % readsPerTurn === 0) await setImmediate();
    signal.throwIfAborted();
    if (to === from) return new Uint8Array(0);
    if (to - from > 4 * blockSize) return ask(from, to);
    const bytes = new Uint8Array(to - from);
    for (let position = from; position < to; ) {
      const number = Math.floor(position / blockSize);
      const offset = position - number * blockSize;
      const piece = (await block(number)).subarray(offset, offset + to - position);
      bytes.set(piece, position - from);
      position += piece.length;
    }
    return bytes;
  }

  async function* chunks(): AsyncGenerator<Uint8Array> {
    if (!source.stream) {
      for (let at = 0; at < source.size; at += chunkSize) yield ask(at, Math.min(source.size, at + chunkSize));
      return;
    }
    const reader = source.stream().getReader();
    try {
      for (;;) {
        const { done, value } = await raceAbort(signal, () => wrapInternalErrors(() => reader.read()));
        if (done) return;
        bytesRead += value.length;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
  }

  return {
    size: source.size,
    get bytesRead() {
      return bytesRead;
    },
    read,
    chunks,
  };
}

/** Marks errors in `work` as not caused by the file. */
export async function wrapInternalErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof InternalError ? error : new InternalError('internal', { cause: error });
  }
}

/**
 * Returns the result of `work`, or throws the signal's reason as soon as it is aborted. The work itself is not
 * stopped.
 */
async function raceAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
