import type { IncomingMessage } from 'node:http';
import type { Files, StoredFile } from '../store/files.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** A parsed request body. */
export interface Body {
  /** The JSON object, form or multipart fields. `name[]` and `a[b]` become arrays and objects. */
  readonly fields: JsonObject;
  readonly uploads: Readonly<Record<string, Upload>>;
  /** The raw bytes. Empty for multipart and for a body written to disk. */
  readonly bytes: Buffer;
  /** The body on disk, for a route with `body: 'file'`. */
  readonly stored?: StoredFile;
}

export interface Upload {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export const noBody: Body = { fields: {}, uploads: {}, bytes: Buffer.alloc(0) };

export type BodyProblem = 'too_large' | 'malformed';

export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Body | BodyProblem> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes === 'too_large') return bytes;
  if (bytes.length === 0) return noBody;
  const type = request.headers['content-type'] ?? '';
  try {
    if (type.includes('json')) return { fields: readJson(bytes), uploads: {}, bytes };
    if (type.startsWith('application/x-www-form-urlencoded')) {
      return { fields: nest(new URLSearchParams(bytes.toString())), uploads: {}, bytes };
    }
    if (type.startsWith('multipart/form-data')) return await readMultipart(bytes, type);
  } catch {
    return 'malformed';
  }
  return { fields: {}, uploads: {}, bytes };
}

export async function spoolBody(request: IncomingMessage, files: Files): Promise<Body> {
  return { ...noBody, stored: await files.saveStream(request) };
}

/** The form in which the control API shows a body: the fields, and the name, type and size of each file. */
export function describeBody(body: Body): Json {
  const uploads = Object.entries(body.uploads).map(([field, upload]) => [
    field,
    { name: upload.name, type: upload.type, bytes: upload.bytes.length },
  ]);
  return { ...body.fields, ...Object.fromEntries(uploads) };
}

/** Parses Rails-style names: `media_ids[]=1&media_ids[]=2&poll[expires_in]=300`. */
export function nest(entries: Iterable<[string, string]>): JsonObject {
  const fields: JsonObject = Object.create(null);
  for (const [name, value] of entries) {
    const [first = name, ...rest] = name.split('[').map((key) => key.replace(/\]$/, ''));
    if (rest.length > 4) throw new Error('too deep');
    setPath(fields, first, rest, value);
  }
  return fields;
}

function setPath(target: JsonObject, key: string, rest: string[], value: string): void {
  const [next, ...others] = rest;
  if (next === undefined) {
    target[key] = value;
  } else if (next === '') {
    const list = target[key];
    if (Array.isArray(list)) list.push(value);
    else target[key] = [value];
  } else {
    const inner = target[key];
    const object = isObject(inner) ? inner : Object.create(null);
    target[key] = object;
    setPath(object, next, others, value);
  }
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | 'too_large'> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // A response in the middle of an upload looks like a reset connection, so bytes over the limit are read and dropped.
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => resolve(size > maxBytes ? 'too_large' : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The client closed the connection.')));
  });
}

function readJson(bytes: Buffer): JsonObject {
  const value: unknown = JSON.parse(bytes.toString());
  if (!isObject(value)) throw new Error('not an object');
  return value;
}

async function readMultipart(bytes: Buffer, type: string): Promise<Body> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  const texts: [string, string][] = [];
  const uploads: Record<string, Upload> = Object.create(null);
  for (const [name, value] of form) {
    if (typeof value === 'string') texts.push([name, value]);
    else uploads[name] = { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) };
  }
  return { fields: nest(texts), uploads, bytes: noBody.bytes };
}
