import type pg from 'pg';
import { type ApiStage, sidesOf } from './api-stage.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { compare, type Measured, requireCount } from './harness/compare.ts';
import type { RequestTemplate } from './harness/load.ts';
import type { Scale } from './harness/scale.ts';
import { keyOf, platformIdOf } from './tenants.ts';

const against = 'bare handler that stores the same rows';
const forms = ['quick', 'smoke'] as const;

export const createPost: Benchmark<ApiStage> = {
  name: 'create-post',
  about: 'scheduled posts with 3 targets a second, on 32 connections',
  forms,
  measure: async (stage, { scale }) => [
    await compare(scale, {
      what: 'create-post (3 targets, scheduled)',
      unit: 'a second',
      ...sides(stage, scale, {}),
      against,
      aim: { atLeast: 0.8 },
    }),
  ],
};

export const createPostWithKey: Benchmark<ApiStage> = {
  name: 'create-post-with-key',
  about: 'the same with an Idempotency-Key',
  forms,
  measure: async (stage, { scale }) => [
    await compare(scale, {
      what: 'create-post with Idempotency-Key',
      unit: 'a second',
      ...sides(stage, scale, { 'idempotency-key': 'bench {n}' }),
      against,
      aim: { atLeast: 0.65 },
    }),
  ],
};

function sides(stage: ApiStage, scale: Scale, headers: Record<string, string>) {
  const count = scale.of({ full: 4_000, quick: 1_000, smoke: 64 });
  const scheduledTime = new Date(Date.now() + 40 * 86_400_000).toISOString();
  const requests = stage.tenants.map((tenant): RequestTemplate => {
    const content =
      'Number {n}: the harbour opens at six, and the boats leave one after the other with the morning tide.';
    const body = { content, platforms: tenant.connections.map(platformIdOf), scheduledTime };
    return {
      method: 'POST',
      path: '/create-post',
      headers: { ...keyOf(tenant), 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    };
  });
  const userIds = stage.tenants.map(({ userId }) => userId);
  const counting = async (work: () => Promise<Measured>): Promise<Measured> => {
    const before = await countRows(stage.pool, userIds);
    const measured = await work();
    const after = await countRows(stage.pool, userIds);
    const expected: Counts = {
      groups: count,
      targets: 3 * count,
      words: count,
      logs: count,
      events: count,
      used: 3 * count,
    };
    for (const name of countedRows) requireCount(name, expected[name], after[name] - before[name]);
    return { ...measured, counted: `${count} groups, ${3 * count} targets, ${count} events` };
  };
  return sidesOf(stage, { requests, count, counting });
}

const countedRows = ['groups', 'targets', 'words', 'logs', 'events', 'used'] as const;
type Counts = Record<(typeof countedRows)[number], number>;

async function countRows(pool: pg.Pool, userIds: string[]): Promise<Counts> {
  const counted = (table: string) => `(select count(*)::integer from ${table} where user_id = any ($1))`;
  const { rows } = await pool.query<Counts>(
    `select ${counted('post_groups')} as groups, ${counted('platform_posts')} as targets, ${counted('post_words')} as words,
      ${counted('post_logs')} as logs, ${counted('events')} as events,
      (select coalesce(sum(used), 0)::integer from usage_counters where owner_id = any ($1)) as used`,
    [userIds],
  );
  return rows[0]!;
}
