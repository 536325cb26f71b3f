import { asCount } from '../http/coerce.ts';
import { type HttpResponse, json } from '../http/http-response.ts';
import type { JsonObject } from '../http/json.ts';
import type { Call } from '../platform.ts';
import type { Post } from '../store/posts.ts';

const defaultLimit = 25;
const maxLimit = 100;

/** Returns one page of the posts with its cursors. It reads no more posts than the page needs. */
export function pageOf(
  call: Call,
  posts: Iterable<Post>,
  present: (post: Post) => JsonObject,
  { hasLinks = false } = {},
): HttpResponse {
  const limit = asCount(call.query.get('limit'), defaultLimit, maxLimit);
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

/** The time format of the Graph API: `2026-11-15T09:00:00+0000`. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, '+0000');
}

/** `since` and `until` are dates or seconds since 1970. */
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
