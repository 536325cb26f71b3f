import { type HttpResponse, json } from '../../http/http-response.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Call } from '../../platform.ts';

/** Returns one page of a list with its cursors. A cursor encodes the first or last id of the page. */
export function listResponse<T extends { readonly id: string }>(
  call: Call,
  all: readonly T[],
  limit: number,
  present: (item: T) => JsonObject,
  summary?: JsonObject,
): HttpResponse {
  const after = call.query.get('after');
  const start = after === null ? 0 : all.findIndex(({ id }) => cursorOf(id) === after) + 1;
  const page = all.slice(start, start + limit);
  const [first, last] = [page.at(0), page.at(-1)];
  const hasMore = start + page.length < all.length;
  return json({
    data: page.map(present),
    ...(first && last && { paging: pagingOf(call, cursorOf(first.id), cursorOf(last.id), hasMore) }),
    ...(summary && { summary }),
  });
}

function pagingOf(call: Call, before: string, after: string, hasMore: boolean) {
  const next = new URL(`https://${call.host}${call.path}?${call.query}`);
  next.searchParams.set('after', after);
  return { cursors: { before, after }, ...(hasMore && { next: next.href }) };
}

function cursorOf(id: string): string {
  return Buffer.from(id).toString('base64url');
}
