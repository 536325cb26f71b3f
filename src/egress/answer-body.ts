import { EgressError } from './egress-error.ts';

export interface BodyLimits {
  maxBytes: number;
  host: string;
  /** Our words for what went wrong. */
  explain(error: unknown): unknown;
}

/** The body as its reader gets it: decoded, and cut off at the cap, on the wire as well as after decoding. */
export function limitedBody(body: ReadableStream<Uint8Array>, headers: Headers, limits: BodyLimits) {
  const tooLarge = () =>
    new EgressError('too_large', `The answer of ${limits.host} is larger than ${limits.maxBytes} bytes.`);
  if (Number(headers.get('content-length')) > limits.maxBytes) {
    discard(body);
    return new ReadableStream<Uint8Array>({ start: (reader) => reader.error(limits.explain(tooLarge())) });
  }
  const encoding = encodings.get(headers.get('content-encoding')?.trim().toLowerCase() ?? '');
  if (!encoding) return counted(body);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return counted(counted(body).pipeThrough(new DecompressionStream(encoding)));

  /** Not made from a generator: cancelling one has to wait for the next chunk, which may never come. */
  function counted(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
    const chunks = source.getReader();
    let bytes = 0;
    return new ReadableStream(
      {
        async pull(reader) {
          try {
            const { done, value } = await chunks.read();
            if (done) return reader.close();
            bytes += value.byteLength;
            if (bytes > limits.maxBytes) throw tooLarge();
            reader.enqueue(value as Uint8Array<ArrayBuffer>);
          } catch (error) {
            chunks.cancel(error).catch(ignore);
            reader.error(limits.explain(error));
          }
        },
        cancel: (reason) => chunks.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }
}

/** Closes the connection behind a body that is not wanted; one that broke already is no reason to fail. */
export function discard(body: ReadableStream): void {
  body.cancel().catch(ignore);
}

function ignore(): void {}

/** We ask for none. One that comes all the same is undone if it is a single known one; others stay as they are. */
const encodings: ReadonlyMap<string, 'gzip' | 'deflate'> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
]);
