import { createHash } from 'node:crypto';
import { type Answer, json } from '../../answer.ts';
import { asCount } from '../../fields.ts';
import type { Call } from '../../network.ts';
import { refuse } from './errors.ts';

const maxPage = 50;
const defaultPage = 5;

/** `part=snippet,status`: mandatory, and every name must be one that the resource has. */
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

/** A resource with the parts that were asked for. */
export function resource(kind: string, id: string, parts: readonly string[], all: Record<string, () => object>) {
  const shown = parts.flatMap((name) => {
    const make = all[name];
    return make ? [[name, make()] as const] : [];
  });
  const content = { id, ...Object.fromEntries(shown) };
  return { kind: `youtube#${kind}`, etag: etagOf(content), ...content };
}

/** One page. The token of the next one is where it begins. */
export function listAnswer<T>(call: Call, kind: string, all: readonly T[], present: (item: T) => object): Answer {
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
