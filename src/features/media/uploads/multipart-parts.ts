import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';

export type FormPart =
  | { readonly type: 'field'; readonly name: string; readonly value: string }
  | { readonly type: 'file'; readonly name: string; readonly fileName: string | undefined; readonly file: Readable };

// The size of a file is checked while it is stored, because its limit depends on its purpose.
const limits = { files: 5, fields: 20, parts: 25, fieldSize: 1_000, headerPairs: 20, headerSize: 8_192 };
/**
 * More than a chunk from a socket: when this much is buffered, the parser waits after the last part for an event that
 * never comes.
 */
const highWaterMark = 131_072;
const limitEvents = ['partsLimit', 'fieldsLimit', 'filesLimit'] as const;

/**
 * Yields the parts of a form as they arrive, and reads no further than its files are read. If the form is abandoned
 * early, the rest is discarded, because clients read the response only after they have sent everything.
 */
export async function* partsOf(raw: Readable & { headers: IncomingHttpHeaders }): AsyncGenerator<FormPart, void> {
  const contentType = raw.headers['content-type'] ?? '';
  const parser = new Busboy({ headers: { 'content-type': contentType }, limits, highWaterMark });
  const parts = new Readable({ objectMode: true, read() {} });
  let file: Readable | undefined;
  let isEmpty = true;

  parser.on('field', (name, value) => parts.push({ type: 'field', name, value } satisfies FormPart));
  parser.on('file', (name, stream, fileName) => {
    // Its reader gets the error, if there is one.
    file = stream.on('error', () => {});
    parts.push({ type: 'file', name, fileName, file: stream } satisfies FormPart);
  });
  for (const event of limitEvents) parser.on(event, () => stopParsing(fail));
  parser.on('finish', () => parts.push(null));
  // A request without a body is an empty form.
  parser.on('error', (error) => (isEmpty ? parts.push(null) : fail(error)));

  const close = () => raw.readableEnded || fail(new Error('The connection was closed.'));
  const end = () => parser.end();
  raw.on('data', feed).on('end', end).on('error', fail).on('close', close);
  try {
    for await (const part of parts) {
      if (part instanceof Error) throw part;
      yield part;
    }
  } finally {
    raw.off('data', feed).off('end', end).off('error', fail).off('close', close).resume();
  }

  function feed(chunk: Buffer) {
    isEmpty = false;
    raw.pause();
    try {
      parser.write(chunk, () => raw.resume());
    } catch (error) {
      fail(error);
    }
  }

  /** Earlier parts are still yielded. */
  function fail(error: unknown) {
    const failure = error instanceof Error ? error : new Error(String(error));
    file?.destroy(failure);
    parts.push(failure);
  }
}

/**
 * After reaching a limit, the parser would still process the thousands of parts that fit into a chunk. Only an
 * exception stops it.
 */
function stopParsing(fail: (error: Error) => void): never {
  const error = new Error('The form has too many parts.');
  fail(error);
  throw error;
}
