import { createHash } from 'node:crypto';
import { asCount } from '../../http/coerce.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import { refuse } from './errors.ts';

const maxPage = 50;
const defaultPage = 5;

/** Reads `part=snippet,status`. The parameter is mandatory, and every part must exist. */
export function readParts(call: Call, known: readonly string[]): string[] {
  const asked = call.query
    .getAll('part')
    .flatMap((value) => value.split(','))
    .map((name) => name.trim())
    .filter(Boolean);
  if (asked.length === 0) refuse('required', { message: 'Required parameter: part', location: 'part' });
  const unknown = asked.find((name) => name !== 'id' && !known.includes(name));
  if (unknown !== undefined) refuse('unknownPart', { message: `'${unknown}'`, location: 'part' });
  return asked;
}

/** Returns a resource with the requested parts. */
export function resource(kind: string, id: string, parts: readonly string[], all: Record<string, () => object>) {
  const shown = parts.flatMap((name) => {
    const make = all[name];
    return make ? [[name, make()] as const] : [];
  });
  const content = { id, ...Object.fromEntries(shown) };
  return { kind: `youtube#${kind}`, etag: etagOf(content), ...content };
}

/** Returns one page. The page token contains the position at which the next page starts. */
export function listResponse<T>(
  call: Call,
  kind: string,
  all: readonly T[],
  present: (item: T) => object,
): HttpResponse {
  const size = asCount(call.query.get('maxResults'), defaultPage, maxPage);
  const start = readPageToken(call.query.get('pageToken'));
  const items = all.slice(start, start + size).map(present);
  const next = start + size < all.length ? { nextPageToken: writePageToken(start + size) } : {};
  const pageInfo = { totalResults: all.length, resultsPerPage: size };
  return json({ kind: `youtube#${kind}`, etag: etagOf(items), ...next, items, pageInfo });
}

export function etagOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 27);
}

function writePageToken(start: number): string {
  return Buffer.from(`CAUQ${start}`).toString('base64url');
}

function readPageToken(token: string | null): number {
  if (token === null || token === '') return 0;
  const [, start] = /^CAUQ(\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  if (start === undefined) {
    refuse('invalidParameter', { message: 'The request specifies an invalid page token.', location: 'pageToken' });
  }
  return Number(start);
}
