import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { insertDuePosts } from './due-posts.ts';
import { requireCount } from './harness/compare.ts';
import type { RequestTemplate } from './harness/load.ts';
import { type Shares, timed } from './harness/processes.ts';
import { type Stage, type StageOptions, startStage } from './harness/stage.ts';
import { signUp, type Tenant } from './tenants.ts';

export interface PublishingStage extends Stage {
  readonly author: Tenant;
}

/** A user with this many Mastodon accounts. */
export async function openPublishingStage(accounts: number, options: StageOptions = {}): Promise<PublishingStage> {
  await using stack = new AsyncDisposableStack();
  const stage = stack.use(await startStage(options));
  const author = await signUp(stage, 'mastodon', accounts);
  const resources = stack.move();
  return { ...stage, author, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

export interface Burst {
  /** Published posts per second, from their due time until the last one reached the sandbox. */
  perSecond: number;
  /** How late each post reached the sandbox, in ms, sorted. */
  late: number[];
  shares: Shares | null;
  counted: string;
}

/** Publishes this many posts that are due at the same time, and counts them in the database and in the sandbox. */
export async function publishAtOnce(stage: PublishingStage, targets: number): Promise<Burst> {
  const due = Date.now() + aheadMs(targets);
  const label = await insertDuePosts(stage.pool, { targets, at: () => new Date(due) });
  if (Date.now() > due) throw new Error(`Inserting ${targets} posts took so long that they were due before its end.`);
  await sleep(due - Date.now());
  const { shares } = await timed(stage.parties, () => untilPublished(stage.pool));
  const late = await latenessOf(stage, label, targets, () => due);
  const perSecond = targets / ((late.at(-1) ?? 0) / 1000);
  return { perSecond, late, shares, counted: `${targets} published once` };
}

/** Leaves enough time to insert them. */
export const aheadMs = (targets: number) => 2_000 + targets;

/**
 * How late each post reached the sandbox, by the sandbox's clock, in ms, sorted. Fails unless each post arrived exactly
 * once.
 */
export async function latenessOf(stage: Stage, label: string, targets: number, dueAt: (index: number) => number) {
  const { rows } = await stage.pool.query(
    `select count(*)::integer as published from platform_posts where content like $1 and status = 'published'`,
    [`${label} %`],
  );
  requireCount('published rows', targets, rows[0].published);
  const posts = await postsOf(stage, label);
  requireCount('posts at the sandbox', targets, posts.length);
  requireCount('different posts at the sandbox', targets, new Set(posts.map(({ text }) => text)).size);
  return posts
    .map(({ text, createdAt }) => Date.parse(createdAt) - dueAt(Number(text.slice(label.length + 1))))
    .sort((one, other) => one - other);
}

/** The posts in the sandbox with this label. */
export async function postsOf({ sandboxUrl }: Stage, label: string): Promise<{ text: string; createdAt: string }[]> {
  const response = await fetch(`${sandboxUrl}/_control/posts?network=mastodon`);
  const posts = (await response.json()) as { text: string; createdAt: string }[];
  return posts.filter(({ text }) => text.startsWith(`${label} `));
}

export async function untilPublished(pool: pg.Pool) {
  for (;;) {
    // Both queries use a partial index, so that polling does not disturb the measurement.
    const { rows } = await pool.query(
      `select exists (select from platform_posts where run_at is not null) or exists (
        select from post_groups where status = 'scheduled' and processing_status = 'pending' and scheduled_at <= now()
      ) as busy`,
    );
    if (!rows[0].busy) return;
    await sleep(100);
  }
}

/** Requests that publish a post directly, with the tokens of this many accounts. */
export async function bareRequests({ sandboxUrl }: Stage, accounts: number): Promise<RequestTemplate[]> {
  const tokens: string[] = [];
  for (let account = 0; account < accounts; account += 1) tokens.push(await tokenOf(sandboxUrl, `bare${account}`));
  return tokens.map((token) => ({
    method: 'POST',
    path: '/mastodon.social/api/v1/statuses',
    headers: {
      accept: 'application/json',
      'accept-language': 'en',
      'user-agent': 'Crier (social publishing service)',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': 'bare {n}',
    },
    body: JSON.stringify({ status: 'bare {n}', visibility: 'public' }),
  }));
}

/** An access token for the account with this handle, which is created if it does not exist. */
export async function tokenOf(sandboxUrl: string, handle: string): Promise<string> {
  const response = await fetch(`${sandboxUrl}/_control/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ network: 'mastodon', handle }),
  });
  const { credentials } = (await response.json()) as { credentials: { accessToken: string } };
  return credentials.accessToken;
}
