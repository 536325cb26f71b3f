import { EgressError } from './egress-error.ts';

export interface BodyLimits {
  maxBytes: number;
  /** For a compressed body, on the wire. */
  maxEncodedBytes: number;
  host: string;
  /** Turns an error into an EgressError. */
  explain(error: unknown): unknown;
}

/** Decodes the body and fails it at the size limit, which applies on the wire and after decoding. */
export function limitedBody(body: ReadableStream<Uint8Array>, headers: Headers, limits: BodyLimits) {
  const tooLarge = (maxBytes = limits.maxBytes) =>
    new EgressError('too_large', `The response of ${limits.host} is larger than ${maxBytes} bytes.`);
  if (Number(headers.get('content-length')) > limits.maxBytes) {
    discard(body);
    return new ReadableStream<Uint8Array>({ start: (reader) => reader.error(limits.explain(tooLarge())) });
  }
  const encoding = encodings.get(headers.get('content-encoding')?.trim().toLowerCase() ?? '');
  if (!encoding) return counted(body);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return counted(counted(body, limits.maxEncodedBytes).pipeThrough(new DecompressionStream(encoding)));

  /** A generator would not work: cancelling one waits for the next chunk, which may never come. */
  function counted(
    source: ReadableStream<Uint8Array>,
    maxBytes = limits.maxBytes,
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    const chunks = source.getReader();
    let bytes = 0;
    return new ReadableStream(
      {
        async pull(reader) {
          try {
            const { done, value } = await chunks.read();
            if (done) return reader.close();
            bytes += value.byteLength;
            if (bytes > maxBytes) throw tooLarge(maxBytes);
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

/** Closes the connection behind an unread body. It is not an error if the connection is already broken. */
export function discard(body: ReadableStream): void {
  body.cancel().catch(ignore);
}

function ignore(): void {}

/** We request no encoding. If a server uses one of these anyway, the body is decoded; other bodies stay encoded. */
const encodings: ReadonlyMap<string, 'gzip' | 'deflate'> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
]);
