import { jsonExcess } from '../../../foundation/lib/json.ts';
import { PlatformError } from '../failure.ts';
import { messages } from '../messages.ts';
import { answerBounds } from './answer-bounds.ts';

interface Guard {
  host: string;
  maxBytes: number;
  failed(error: unknown): PlatformError;
  /** Called when no more of the body will be read. */
  ended(): void;
}

const readers = ['text', 'arrayBuffer', 'bytes', 'blob', 'formData'] as const;

/**
 * The same response, whose body also fails only with a PlatformError: a connection can break in the middle of it, and a
 * server may send more than Crier accepts.
 */
export function guardBody(response: Response, { host, maxBytes, failed, ended }: Guard): Response {
  const { body, headers, status } = response;
  if (!body) {
    ended();
    return response;
  }
  // The runtime reads a whole body faster than we can read its chunks.
  const isShort = isLengthWithin(maxBytes, headers);
  const counted = () => new Response(ReadableStream.from(chunks(body)), { headers });
  for (const name of readers) {
    const readWhole: () => Promise<unknown> = response[name].bind(response);
    const value = () => (isShort ? readWhole() : counted()[name]()).catch(fail).finally(ended);
    Object.defineProperty(response, name, { value, configurable: true });
  }
  const readText = response.text;
  return Object.defineProperties(response, {
    text: { value: text },
    json: { value: async () => JSON.parse(await text()) },
    // Created on demand, because a stream costs more than the rest of a small response.
    body: { get: () => Object.defineProperty(ReadableStream.from(chunks(body)), 'cancel', { value: cancel }) },
  });

  async function text() {
    const read = await readText();
    const excess = jsonExcess(read, answerBounds);
    if (excess) throw unreadable(`The response has too many ${excess}.`);
    return read;
  }

  /** Cancelling an unread generator stream does not reach its source, so cancel the source directly. */
  function cancel(reason?: unknown) {
    ended();
    return body?.cancel(reason);
  }

  function fail(error: unknown): never {
    throw failed(error);
  }
  function unreadable(reason: string) {
    return new PlatformError('unavailable', messages.unreadable(host), { status, reason });
  }
  async function* chunks(stream: ReadableStream<Uint8Array>) {
    let bytes = 0;
    try {
      for await (const chunk of stream) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) throw unreadable(`The response is larger than ${maxBytes} bytes.`);
        yield chunk;
      }
    } catch (error) {
      fail(error);
    } finally {
      ended();
    }
  }
}

/** Only for a body without encoding: the length of an encoded one says nothing. */
function isLengthWithin(maxBytes: number, headers: Headers): boolean {
  const length = headers.get('content-length');
  return length !== null && !headers.has('content-encoding') && Number(length) <= maxBytes;
}
