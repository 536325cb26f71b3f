import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { FormData as UndiciFormData } from 'undici';

/** The body of a request, in a form that can be resent after a redirect. */
export interface Content {
  /** Null if there is none, or if undici sets it (the boundary of a form). */
  type: string | null;
  /** Sent as Content-Length, because some servers refuse a body without it. Null if undici sets it. */
  length: number | null;
  /** False for a stream, which can be read only once. */
  repeatable: boolean;
  open(): string | Uint8Array | Readable | UndiciFormData;
}

export function requestBody(body: NonNullable<RequestInit['body']>): Content {
  const found = { type: null, length: null, repeatable: true };
  if (typeof body === 'string') return { ...found, type: 'text/plain;charset=UTF-8', open: () => body };
  if (body instanceof URLSearchParams) {
    return { ...found, type: 'application/x-www-form-urlencoded;charset=UTF-8', open: () => body.toString() };
  }
  if (body instanceof FormData) return { ...found, open: () => undiciForm(body) };
  if (body instanceof Blob) {
    return { ...found, type: body.type || null, length: body.size, open: () => readable(body.stream()) };
  }
  if (ArrayBuffer.isView(body)) {
    return { ...found, open: () => new Uint8Array(body.buffer, body.byteOffset, body.byteLength) };
  }
  if (body instanceof ReadableStream) return { ...found, repeatable: false, open: () => readable(body) };
  if (body instanceof ArrayBuffer) return { ...found, open: () => new Uint8Array(body) };
  throw new TypeError('This kind of body cannot be sent.');
}

/** undici sends only its own FormData class. Files are passed on without being read. */
function undiciForm(form: FormData): UndiciFormData {
  const copy = new UndiciFormData();
  for (const [name, value] of form) {
    if (typeof value === 'string') copy.append(name, value);
    else copy.append(name, value, value.name);
  }
  return copy;
}

function readable(stream: ReadableStream): Readable {
  return Readable.fromWeb(stream as NodeReadableStream);
}
