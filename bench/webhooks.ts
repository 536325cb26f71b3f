import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { webhookEvents } from '../src/foundation/events/catalogue.ts';
import { seal, sealingKey, webhookSecretContext } from '../src/foundation/lib/seal.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { type Child, startChild } from './harness/child.ts';
import { compare, figureRow, type Measured, requireCount, type Side } from './harness/compare.ts';
import { percentile } from './harness/percentile.ts';
import { timed } from './harness/processes.ts';
import { secretKey, startStage } from './harness/stage.ts';
import type { Arrivals, ReceiverOptions } from './receivers.ts';

const receivers: ReceiverOptions = { receivers: 100, hanging: 10 };
const healthy = receivers.receivers - receivers.hanging;
/** Two for each receiver. */
const connections = 2 * healthy;
const eventsAtOnce = 1_000;
const limitMs = 60_000;

export const webhooks: Benchmark<AsyncDisposable> = {
  name: 'webhooks',
  about: 'deliveries to 100 receivers, 10 of which hang',
  forms: ['quick', 'smoke'],
  async measure(_stage, { scale }) {
    await using child = await startChild(new URL('receivers.ts', import.meta.url), receivers);
    const ports = child.ready as number[];
    const allowed = ports.map((port) => `127.0.0.1:${port}`);
    await using stage = await startStage({ environment: { EGRESS_ALLOW: allowed.join() } });
    const parties = { ...stage.parties, sandbox: [child.pid] };
    await addWebhooks(
      stage.pool,
      ports.map((port) => ({ port, owner: String(port) })),
    );
    const events = scale.of({ full: 10_000, quick: 3_000, smoke: 200 });
    const late: number[][] = [];

    const deliver = async (count: number): Promise<Measured> => {
      await child.ask('begin again');
      const began = Date.now();
      const { value, shares } = await timed(parties, async () => {
        for (let left = count; left > 0; left -= eventsAtOnce)
          await addEvents(stage.pool, Math.min(left, eventsAtOnce) / receivers.receivers);
        return arrivalsOf(child, (count / receivers.receivers) * healthy);
      });
      late.push(value.late.toSorted((one, other) => one - other));
      const figure = value.late.length / ((value.lastAt - began) / 1000);
      return { figure, shares, counted: `${value.late.length} arrived` };
    };
    const ours: Side = { warmUp: () => deliver(Math.ceil(events / 300) * 100), measure: () => deliver(events) };

    const plan = {
      origins: allowed.slice(receivers.hanging).map((place) => `http://${place}`),
      requests: [
        { method: 'POST' as const, path: '/', headers: { 'content-type': 'application/json' }, body: anEvent().body },
      ],
      connections,
    };
    const ceiling: Side = {
      warmUp: () => stage.client.send({ ...plan, count: Math.ceil(events / 3) }),
      async measure() {
        const { value, shares } = await stage.client.sendTimed(parties, { ...plan, count: events });
        return { figure: value.answered / value.seconds, shares, counted: `${value.answered} answers` };
      },
    };
    const what = `webhooks: ${events.toLocaleString('en')} events to 100 receivers, 10 hanging`;
    const against = 'bare undici loop to the healthy receivers';
    const row = await compare(scale, { what, unit: 'a second', ours, against, ceiling, aim: { atLeast: 0.6 } });
    const worst = late.slice(1).map((round) => percentile(round, 1));
    const latest = { what: `${what}: late by, worst`, unit: 'ms', figures: worst, aim: { atMost: 5_000 } };
    return [row, figureRow({ ...latest, counted: row.counted })];
  },
};

/** Adds one webhook for each receiver. Each owner is a user with the given name. */
export async function addWebhooks(
  pool: pg.Pool,
  receivers: readonly { port: number; owner: string }[],
  name = 'receiver',
) {
  const keys = { current: sealingKey(secretKey), previous: [] };
  const rows = receivers.map(({ port, owner }) => {
    const id = randomBytes(12).toString('hex');
    return { id, owner, url: `http://127.0.0.1:${port}/`, secret: seal('secret', webhookSecretContext(id), keys) };
  });
  await pool.query(
    `with made as (
      insert into users (id, email, name, plan)
      select distinct substr(md5(owner), 1, 24), owner || '@example.com', $2, 'pro'
      from jsonb_to_recordset($1) as hook (owner text)
    )
    insert into webhooks (id, user_id, name, url, events, secret, created_at, updated_at)
    select id, substr(md5(owner), 1, 24), id, url, array['post.published'], secret, now(), now()
    from jsonb_to_recordset($1) as hook (id text, owner text, url text, secret text)`,
    [JSON.stringify(rows), name],
  );
}

function anEvent() {
  const about = { postId: '', postGroupId: '', platform: 'mastodon', platformId: '', postedId: '', permalink: null };
  const now = new Date();
  return webhookEvents.postPublished.emit({ ...about, publishedAt: now.toISOString() }, now);
}

/** Adds the same number of events for every owner with this name, each about another post. */
export async function addEvents(pool: pg.Pool, each: number, name = 'receiver') {
  const { type, body } = anEvent();
  await pool.query(
    `insert into events (id, user_id, type, post_group_id, body, created_at)
    select substr(md5(random()::text), 1, 24), id, $1, random()::text, $2, now()
    from users, generate_series(1, $3::integer) where name = $4`,
    [type, body, each, name],
  );
}

async function arrivalsOf(child: Child, expected: number): Promise<Arrivals> {
  for (const until = performance.now() + limitMs; ; await sleep(50)) {
    const arrivals = await child.ask<Arrivals>('what arrived?');
    if (arrivals.late.length < expected && performance.now() < until) continue;
    requireCount('deliveries to healthy receivers', expected, arrivals.late.length);
    return arrivals;
  }
}
