import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Answer } from './service.ts';

/** A field's text, or a file, in sending order. */
export type FormPart = readonly [name: string, value: string | FilePart];
export interface FilePart {
  name?: string;
  /** An iterable is generated while it is sent. */
  bytes: Uint8Array | Iterable<Uint8Array>;
  type?: string;
}

export interface FormRequest {
  url: string;
  headers?: Record<string, string>;
  parts: readonly FormPart[];
  /** Without a length, like a client that does not know it. */
  chunked?: boolean;
}

/** Sends a form over a real connection, as slowly as the server reads it. */
export async function sendForm(form: FormRequest): Promise<Answer> {
  const { request, agent, pieces } = openForm(form);
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  answered.catch(() => {});
  const sent = sendPieces(request, pieces, answered);
  const [response] = await answered;
  await sent;
  const body = await text(response);
  // After an early response, the rest does not have to be sent.
  request.on('error', () => {});
  agent.destroy();
  return { status: response.statusCode!, headers: response.headers, body: parse(body) };
}

/** Sends the start of a form and stops there: for tests that disconnect, or check what is stored meanwhile. */
export async function beginForm(form: FormRequest, bytes: number): Promise<ClientRequest> {
  const { request, pieces } = openForm(form);
  request.on('error', () => {});
  let left = bytes;
  for (const piece of pieces) {
    if (left <= 0) break;
    await write(request, piece.subarray(0, left));
    left -= piece.byteLength;
  }
  return request;
}

function openForm({ url, headers = {}, parts, chunked = false }: FormRequest) {
  const boundary = `form-${randomUUID()}`;
  const pieces = [...piecesOf(parts, boundary)];
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  // A separate agent, so that its connection closes with it.
  const agent = new Agent({ keepAlive: true });
  const request = httpRequest(url, {
    method: 'POST',
    // A connection to be closed is closed with the response, whether the form was read to its end or not.
    agent,
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
      ...headers,
    },
  });
  return { request, agent, pieces };
}

function* piecesOf(parts: readonly FormPart[], boundary: string): Generator<Uint8Array> {
  for (const [name, value] of parts) {
    const file = typeof value === 'string' ? null : value;
    const fileName = file ? `; filename="${file.name ?? 'file'}"` : '';
    const type = file ? `\r\nContent-Type: ${file.type ?? 'application/octet-stream'}` : '';
    yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName}${type}\r\n\r\n`);
    if (!file) yield Buffer.from(value as string);
    else if (file.bytes instanceof Uint8Array) yield file.bytes;
    else yield* file.bytes;
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

/** Sends until everything is sent or the server has responded. */
async function sendPieces(request: ClientRequest, pieces: Iterable<Uint8Array>, answered: Promise<unknown>) {
  let over = false;
  const stop = answered.then(() => {
    over = true;
  });
  for (const piece of pieces) {
    if (over) break;
    await Promise.race([write(request, piece), stop]);
  }
  request.end();
}

const write = (request: ClientRequest, piece: Uint8Array) =>
  new Promise<void>((resolve, reject) => request.write(piece, (error) => (error ? reject(error) : resolve())));

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
