import { authenticateAs } from '../../graph/authenticate.ts';
import { select } from '../../graph/field-selection.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { refuseOverQuota } from './errors.ts';
import { scopes } from './login.ts';
import { isReply } from './posts.ts';

const daySeconds = 86_400;
const perDay = { post: 250, reply: 1000, deletion: 100, search: 500 };

export function publishingLimit(call: Call): HttpResponse {
  const account = authenticateAs(call, scopes.basic, scopes.publish);
  const config = (quota_total: number) => ({ quota_total, quota_duration: daySeconds });
  const quotas = {
    quota_usage: () => written(call, account, 'post'),
    config: config(perDay.post),
    reply_quota_usage: () => written(call, account, 'reply'),
    reply_config: config(perDay.reply),
    delete_quota_usage: () => deleted(call, account),
    delete_config: config(perDay.deletion),
    location_search_quota_usage: 0,
    location_search_config: config(perDay.search),
  };
  return json({ data: [select('ThreadsPublishingLimit', quotas, call.query.get('fields') ?? 'quota_usage')] });
}

/** The quotas are always counted, but enforced only with the vendor's limits. */
export function checkPostQuota(call: Call, account: Account, kind: 'post' | 'reply'): void {
  if (isEnforced(call) && written(call, account, kind) >= perDay[kind]) refuseOverQuota();
}

export function checkDeleteQuota(call: Call, account: Account): void {
  if (isEnforced(call) && deleted(call, account) >= perDay.deletion) refuseOverQuota();
}

export function countDeletion(call: Call, account: Account, postId: string): void {
  call.sandbox.store.records.put('threads', 'deletion', postId, {}, account.id);
}

function written(call: Call, account: Account, kind: 'post' | 'reply'): number {
  let count = 0;
  for (const post of call.sandbox.store.posts.newest('threads', account.id)) {
    if (!isOfTheDay(call, post.createdAt)) break;
    if (isReply(post) === (kind === 'reply')) count += 1;
  }
  return count;
}

function deleted(call: Call, account: Account): number {
  const deletions = call.sandbox.store.records.list('threads', 'deletion', account.id);
  return deletions.filter(({ createdAt }) => isOfTheDay(call, createdAt)).length;
}

function isEnforced(call: Call): boolean {
  return call.sandbox.options.rateLimits === 'vendor';
}

function isOfTheDay(call: Call, time: number): boolean {
  return time > call.sandbox.now() - daySeconds * 1000;
}
