import { type HttpResponse, json } from '../../../http/http-response.ts';
import type { Call } from '../../../platform.ts';
import type { Post } from '../../../store/posts.ts';
import { missing } from '../errors.ts';
import {
  checkId,
  checkParameters,
  readCount,
  readId,
  readIds,
  readNames,
  readTime,
  refuseValue,
} from '../query-parameters.ts';
import { authenticate, readScopes } from '../sign-in/authenticate.ts';
import { presentationParameters } from '../vocabulary.ts';
import { presentPosts } from './present.ts';

const maxLookedUp = 100;
const pageSize = { min: 5, max: 100, fallback: 10 };

export function onePost(call: Call): HttpResponse {
  const caller = authenticate(call, readScopes);
  checkParameters(call, presentationParameters(call));
  const id = call.params.id ?? '';
  checkId('id', id);
  const post = call.sandbox.store.posts.find('twitter', id);
  if (!post) return json({ errors: [missing('tweet', 'id', id)] });
  const { data, ...rest } = presentPosts(call, [post], caller);
  return json({ data: data[0], ...rest });
}

/** Posts that do not exist are listed in `errors`. */
export function manyPosts(call: Call): HttpResponse {
  const caller = authenticate(call, readScopes);
  checkParameters(call, ['ids', ...presentationParameters(call)]);
  const ids = readIds(call, maxLookedUp);
  const posts = ids.flatMap((id) => call.sandbox.store.posts.find('twitter', id) ?? []);
  const absent = ids.filter((id) => !posts.some((post) => post.id === id));
  const { data, errors = [], ...rest } = presentPosts(call, posts, caller);
  const everyError = [...errors, ...absent.map((id) => missing('tweet', 'ids', id))];
  return json({ ...(data.length > 0 && { data }), ...rest, ...(everyError.length > 0 && { errors: everyError }) });
}

/** Newest first, with replies unless they are excluded. */
export function timeline(call: Call): HttpResponse {
  const caller = authenticate(call, readScopes);
  const select = readSelection(call);
  const id = call.params.id ?? '';
  checkId('id', id);
  if (!call.sandbox.store.accounts.find('twitter', id)) return json({ errors: [missing('user', 'id', id)] });
  const { page, hasMore } = readPage(call, id, select);
  const [first, last] = [page.at(0), page.at(-1)];
  if (!first || !last) return json({ meta: { result_count: 0 } });
  const meta = {
    result_count: page.length,
    newest_id: first.id,
    oldest_id: last.id,
    ...(hasMore && { next_token: tokenAfter(last) }),
  };
  return json({ ...presentPosts(call, page, caller), meta });
}

type Selection = ReturnType<typeof readSelection>;

function readSelection(call: Call) {
  const names = ['since_id', 'until_id', 'start_time', 'end_time', 'max_results', 'pagination_token', 'exclude'];
  checkParameters(call, [...names, ...presentationParameters(call)]);
  return {
    sinceId: readId(call, 'since_id'),
    untilId: readId(call, 'until_id'),
    after: readToken(call),
    startTime: readTime(call, 'start_time'),
    endTime: readTime(call, 'end_time'),
    limit: readCount(call, 'max_results', pageSize),
    skipsReplies: readNames(call, 'exclude', ['replies', 'retweets']).includes('replies'),
  };
}

function readPage(call: Call, accountId: string, select: Selection): { page: Post[]; hasMore: boolean } {
  const page: Post[] = [];
  for (const post of call.sandbox.store.posts.newest('twitter', accountId)) {
    if (isBefore(post, select)) break;
    if (isAfter(post, select) || (select.skipsReplies && post.inReplyTo !== null)) continue;
    if (page.length === select.limit) return { page, hasMore: true };
    page.push(post);
  }
  return { page, hasMore: false };
}

function isBefore(post: Post, { sinceId, startTime }: Selection): boolean {
  if (sinceId !== undefined && BigInt(post.id) <= sinceId) return true;
  return startTime !== undefined && post.createdAt < startTime;
}

function isAfter(post: Post, { untilId, after, endTime }: Selection): boolean {
  const id = BigInt(post.id);
  if ((untilId !== undefined && id >= untilId) || (after !== undefined && id >= after)) return true;
  return endTime !== undefined && post.createdAt >= endTime;
}

function tokenAfter(post: Post): string {
  return Buffer.from(`after ${post.id}`).toString('base64url');
}

function readToken(call: Call): bigint | undefined {
  const token = call.query.get('pagination_token');
  if (token === null) return undefined;
  const [, id] = /^after (\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  return id === undefined ? refuseValue('pagination_token', token, 'is not valid') : BigInt(id);
}
