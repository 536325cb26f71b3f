import type { output } from 'zod';
import type { PostCounts } from '../../../platforms/kit/index.ts';
import type { Who } from '../../auth/access/api-key.ts';
import type { ActingApp } from '../../connections/credentials/act-as-account.ts';
import { connectionsFor } from '../../connections/find-connection.ts';
import { ownPublishedPosts, type RemotePostName } from '../../posts/list/published-posts.ts';
import { withCooldown } from '../cooldown.ts';
import { fetchCachedMany } from '../shared-cache.ts';
import { readAllCached } from './queries.ts';
import type { IssueCode, PostStatistics, PostStatisticsRequest } from './schema.ts';
import { accountIdIn, cacheSeconds, readerFor, requirePlatformError, type StatsReader } from './stats-reader.ts';
import { budgetMs, withTimeBudget } from './time-budget.ts';

type Answer = output<typeof PostStatistics>;
interface Target extends RemotePostName {
  reader: StatsReader;
}
type Outcome = { target: RemotePostName } & ({ counts: PostCounts | null } | { issue: IssueCode });

/** The statistics of the caller's own published posts. A failure of one connection does not affect the others. */
export async function postStatistics(
  app: ActingApp,
  who: Pick<Who, 'userId'>,
  { posts }: output<typeof PostStatisticsRequest>,
  timeMs = budgetMs,
): Promise<Answer> {
  const names = posts.map(({ platform, platformId, postedId }) => ({
    platform,
    accountId: accountIdIn(platform, platformId),
    postedId,
  }));
  const cached = await readAllCached<PostCounts>(app.db, who.userId, names.map(withKey), app.clock.now());
  if (!cached) return withTimeBudget(timeMs, (signal) => loadAll(app, who.userId, names, signal));
  const outcomes = cached.map((counts, place) => ({ target: names[place]!, counts }));
  return present(names, [], outcomes);
}

async function loadAll(app: ActingApp, userId: string, names: readonly RemotePostName[], signal: AbortSignal) {
  const [connections, published] = await Promise.all([
    connectionsFor(app, userId, names),
    ownPublishedPosts(app, userId, names),
  ]);
  const readers = new Map(connections.map((connection) => [nameOf(connection), readerFor(app, connection)]));
  const targets = published.flatMap((post) => {
    const reader = readers.get(nameOf(post));
    return reader ? [{ ...post, reader }] : [];
  });
  const sharing = Object.values(Object.groupBy(targets, ({ reader }) => reader.name));
  const outcomes = await Promise.all(sharing.map((group = []) => load(app, group, signal)));
  const unknown = names.filter((name) => !readers.has(nameOf(name)));
  return present(names, unknown, outcomes.flat());
}

const nameOf = ({ platform, accountId }: Pick<RemotePostName, 'platform' | 'accountId'>) => `${platform}-${accountId}`;

/** By account, so that all users with a connection to the account share the cache entry. */
const keyOf = ({ platform, accountId, postedId }: RemotePostName) => `post ${platform} ${accountId} ${postedId}`;
const withKey = (name: RemotePostName) => ({ ...name, key: keyOf(name) });

/** Loads posts that share a reader, in batches. */
async function load(app: ActingApp, targets: readonly Target[], signal: AbortSignal): Promise<Outcome[]> {
  const { reader } = targets[0]!;
  const idOf = new Map(targets.map((target) => [keyOf(target), target.postedId]));
  const outcomes = await fetchCachedMany<PostCounts>(app, {
    keys: targets.map(keyOf),
    seconds: cacheSeconds,
    failureScope: reader.failureScope,
    batchSize: reader.postsPerCall,
    async load(keys) {
      const ids = keys.map((key) => idOf.get(key)!);
      const found = await withCooldown(app, reader.name, () => reader.posts(ids, signal));
      return new Map(keys.map((key) => [key, found.get(idOf.get(key)!) ?? null]));
    },
  });
  return outcomes.map((outcome, place): Outcome => {
    const target = targets[place]!;
    if (outcome.status === 'fulfilled') return { target, counts: outcome.value.value };
    return { target, issue: reader.issueOf(requirePlatformError(outcome.reason)) };
  });
}

function present(
  names: readonly RemotePostName[],
  unknown: readonly RemotePostName[],
  outcomes: readonly Outcome[],
): Answer {
  const stats = new Map<string, Answer['stats'][string]>(names.map(({ postedId }) => [postedId, null]));
  const issues = new Map<string, IssueCode>(unknown.map((name) => [nameOf(name), 'CONNECTION_NOT_FOUND']));
  for (const outcome of outcomes) {
    const { target } = outcome;
    if ('issue' in outcome) issues.set(nameOf(target), outcome.issue);
    else if (outcome.counts) stats.set(target.postedId, { ...outcome.counts, ...notReported });
  }
  return {
    success: true,
    stats: Object.fromEntries(stats),
    ...([...issues.values()].includes('RATE_LIMITED') && { rateLimited: true }),
    ...(issues.size > 0 && { issues: Object.fromEntries(issues) }),
  };
}

const notReported = { impressions: null, reach: null, clicks: null };
