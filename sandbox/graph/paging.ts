import { type Answer, json } from '../answer.ts';
import { asCount } from '../fields.ts';
import type { JsonObject } from '../json.ts';
import type { Call } from '../network.ts';
import type { Post } from '../store/posts.ts';

const usualLimit = 25;
const maxLimit = 100;

/** A page of posts in the order given, with the cursors to its neighbours. Reads no more of them than it needs. */
export function pageOf(
  call: Call,
  posts: Iterable<Post>,
  present: (post: Post) => JsonObject,
  { hasLinks = false } = {},
): Answer {
  const limit = asCount(call.query.get('limit'), usualLimit, maxLimit);
  const after = call.query.get('after');
  const page: Post[] = [];
  let hasBegun = after === null;
  let hasMore = false;
  for (const post of within(call, posts)) {
    if (page.length === limit) {
      hasMore = true;
      break;
    }
    if (hasBegun) page.push(post);
    else hasBegun = cursorOf(post) === after;
  }
  const [first, last] = [page.at(0), page.at(-1)];
  const data = page.map(present);
  if (!first || !last) return json({ data });
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  return json({ data, paging: { cursors, ...(hasLinks && hasMore && { next: nextAddress(call, cursors.after) }) } });
}

/** The vendor's way to write a time. */
export function graphTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, '+0000');
}

/** `since` and `until`, as a date or in seconds. */
function* within(call: Call, posts: Iterable<Post>): Generator<Post> {
  const [since, until] = [timeIn(call, 'since') ?? 0, timeIn(call, 'until') ?? Number.POSITIVE_INFINITY];
  for (const post of posts) if (post.createdAt >= since && post.createdAt <= until) yield post;
}

function timeIn(call: Call, name: string): number | undefined {
  const value = call.query.get(name);
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value);
  return Number.isNaN(ms) ? undefined : ms;
}

function nextAddress(call: Call, after: string): string {
  const query = new URLSearchParams(call.query);
  query.set('after', after);
  return `https://${call.host}${call.path}?${query}`;
}

function cursorOf(post: Post): string {
  return Buffer.from(post.id).toString('base64url');
}
