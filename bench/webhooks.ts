import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { type App, buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/db/migrate.ts';
import { webhookEvents } from '../src/events/catalogue.ts';
import { seal, sealingKey, webhookSecretContext } from '../src/lib/seal.ts';
import { startDeliverer } from '../src/webhooks/deliverer.ts';
import { temporaryServer } from '../test/support/temporary-server.ts';
import type { Lateness, Receivers } from './receivers.ts';

const events = 10_000;
const eventsAtOnce = 1_000;
const limitMs = 30_000;

/** How late events reach their webhooks while some receivers hang and others answer 500. */
export async function webhooks() {
  const database = await temporaryServer();
  const child = fork(new URL('receivers.ts', import.meta.url));
  try {
    await migrate(database.url);
    const { ports } = await answerOf<Receivers>(child);
    const app = await buildApp(readConfig({ EGRESS_ALLOW: ports.map((port) => `127.0.0.1:${port}`).join() }), {
      databaseUrl: database.url,
      publicUrl: 'http://localhost',
      sandboxUrl: null,
      sealingKeys: { current: sealingKey('00'.repeat(32)), previous: [] },
      log: pino({ level: 'silent' }),
    });
    const deliverer = startDeliverer(app);
    await addWebhooks(app, ports);
    const began = performance.now();
    for (let done = 0; done < events; done += eventsAtOnce) await addEvents(app);
    const addedMs = performance.now() - began;
    const late = await arrivals(child, (events / ports.length) * 80);
    await deliverer.stop(0);
    await app.close();
    return {
      'events delivered, of those whose receivers work': `${late.length} of ${(events / ports.length) * 80}`,
      'events stored in (ms)': addedMs.toFixed(0),
      'late by, median (ms)': late[Math.floor(late.length / 2)] ?? 'none',
      'late by, 99 of 100 (ms)': late[Math.floor(late.length * 0.99)] ?? 'none',
      'late by, worst (ms; < 5000)': late.at(-1) ?? 'none',
    };
  } finally {
    child.kill();
    await database.close();
  }
}

/** One webhook per receiver, each with its own user. */
async function addWebhooks(app: App, ports: readonly number[]) {
  const rows = ports.map((port) => {
    const id = app.newId();
    return { id, url: `http://127.0.0.1:${port}/`, secret: seal('secret', webhookSecretContext(id), app.sealingKeys) };
  });
  await app.pool.query(
    `with made as (
      insert into users (id, email, name, plan) select id, id || '@example.com', id, 'pro'
      from jsonb_to_recordset($1) as hook (id text) returning id
    )
    insert into webhooks (id, user_id, name, url, events, secret, created_at, updated_at)
    select id, id, id, url, array['post.published'], secret, now(), now()
    from made join jsonb_to_recordset($1) as hook (id text, url text, secret text) using (id)`,
    [JSON.stringify(rows)],
  );
}

/** The same number of events for every user, each about another post. */
async function addEvents(app: App) {
  const now = app.clock.now();
  const about = { postId: '', postGroupId: '', platform: 'mastodon', platformId: '', postedId: '', permalink: null };
  const event = webhookEvents.postPublished.emit({ ...about, publishedAt: now.toISOString() }, now);
  await app.pool.query(
    `insert into events (id, user_id, type, post_group_id, body, created_at)
    select substr(md5(random()::text), 1, 24), id, $1, random()::text, $2, $3
    from users, generate_series(1, $4::integer / (select count(*) from users))`,
    [event.type, event.body, now, eventsAtOnce],
  );
}

/** How late each event was, sorted, once all have arrived or the time limit is over. */
async function arrivals(child: ChildProcess, expected: number): Promise<number[]> {
  const until = performance.now() + limitMs;
  for (;;) {
    const answer = answerOf<Lateness>(child);
    child.send('what arrived?');
    const late = (await answer).flat();
    if (late.length >= expected || performance.now() > until) return late.sort((a, b) => a - b);
    await sleep(100);
  }
}

const answerOf = async <T>(child: ChildProcess): Promise<T> => (await once(child, 'message'))[0] as T;
