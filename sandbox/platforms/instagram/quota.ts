import { authenticateAs } from '../../graph/authenticate.ts';
import { select } from '../../graph/field-selection.ts';
import { type HttpResponse, json } from '../../http/http-response.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { refuseOverQuota } from './errors.ts';
import { scopes } from './login.ts';
import { isComment } from './posts.ts';

const daySeconds = 86_400;
const postsPerDay = 100;
const containersPerDay = 400;

export function publishingLimit(call: Call): HttpResponse {
  const account = authenticateAs(call, scopes.basic, scopes.publish);
  const quota = {
    quota_usage: () => postsOfTheDay(call, account),
    config: { quota_total: postsPerDay, quota_duration: daySeconds },
  };
  return json({ data: [select('ContentPublishingLimit', quota, call.query.get('fields') ?? 'quota_usage')] });
}

/** Both quotas are always counted, but enforced only with the vendor's limits. */
export function checkPostQuota(call: Call, account: Account): void {
  const isEnforced = call.sandbox.options.rateLimits === 'vendor';
  if (isEnforced && postsOfTheDay(call, account) >= postsPerDay) refuseOverQuota();
}

export function checkContainerQuota(call: Call, account: Account): void {
  if (call.sandbox.options.rateLimits === 'off') return;
  const containers = call.sandbox.store.records.list('instagram', 'container', account.id);
  if (containers.filter(({ createdAt }) => isOfTheDay(call, createdAt)).length >= containersPerDay) refuseOverQuota();
}

function postsOfTheDay(call: Call, account: Account): number {
  let count = 0;
  for (const post of call.sandbox.store.posts.newest('instagram', account.id)) {
    if (!isOfTheDay(call, post.createdAt)) break;
    if (!isComment(post)) count += 1;
  }
  return count;
}

function isOfTheDay(call: Call, time: number): boolean {
  return time > call.sandbox.now() - daySeconds * 1000;
}
