import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Deliverer, startDeliverer } from '../../../src/features/webhooks/delivery/deliverer.ts';
import { seal, webhookSecretContext } from '../../../src/foundation/lib/seal.ts';
import { eventually } from '../eventually.ts';
import { openReceiver, type Received } from '../servers/webhook-receiver.ts';
import { testClock } from '../service/app.ts';
import { type TestUser, testService } from '../service/service.ts';

export interface Hook {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
  /** The deliveries received, in order. */
  received(): Received[];
  /** The numbers of the events received, in order. */
  numbers(): number[];
  log(): Promise<Logged[]>;
  read(): Promise<{ isActive: boolean; failureCount: number; lastTriggeredAt: string | null }>;
}

export interface Logged {
  _id: string;
  event: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: { at: string; durationMs: number; status: number | null; error: string | null; answer: string }[];
  nextAttemptAt: string | null;
  body: string;
}

/** A service that delivers to a receiver on this machine, with a clock that the test moves. */
export async function deliveryStage({ log }: { log?: Logger } = {}) {
  const clock = testClock();
  const receiver = await openReceiver();
  const { environment, egress } = receiver;
  const service = await testService({ clock, environment, egress, ...(log && { log }) });
  const { app } = service;
  const ada = await service.aUser();
  const deliverers: Deliverer[] = [];
  let made = 0;

  const query = (text: string, ...values: unknown[]) => service.database.pool.query(text, values);
  const start = (options?: Parameters<typeof startDeliverer>[1]) => {
    const deliverer = startDeliverer(app, options);
    deliverers.push(deliverer);
    return deliverer;
  };

  return {
    service,
    receiver,
    clock,
    ada,
    query,
    start,
    async aHook({ url, by = ada }: { url?: string; by?: TestUser } = {}): Promise<Hook> {
      made += 1;
      const path = `/hook-${made}`;
      const events = ['post.scheduled', 'post.published', 'post.failed', 'post.demoted'];
      const answer = await by.call('POST', '/webhooks', { name: path, url: url ?? receiver.url(path), events });
      const { _id: id, secret } = answer.body.webhook;
      const received = () => receiver.received(path);
      return {
        id,
        secret,
        path,
        received,
        numbers: () => received().map(({ body }) => JSON.parse(body).data.n),
        log: async () => (await by.call('GET', `/webhooks/${id}/deliveries`)).body.deliveries,
        read: async () =>
          (await by.call('GET', '/webhooks')).body.webhooks.find(({ _id }: { _id: string }) => _id === id),
      };
    },
    /** Users with their own accounts, or managed by an owner. Only their webhooks matter. */
    async users(count: number, { managedBy = null }: { managedBy?: string | null } = {}): Promise<string[]> {
      const ids = Array.from({ length: count }, () => app.newId());
      await query(
        `insert into users (id, email, name, plan, parent_user_id)
        select id, id || '@example.com', '', 'pro', $2 from unnest($1::text[]) as id`,
        ids,
        managedBy,
      );
      return ids;
    },
    /** Adds webhooks with the same URL to each user, bypassing the limit. */
    async addHooks(users: readonly string[], path: string, { each = 1, failureCount = 0 } = {}) {
      const hooks = users.flatMap((userId) =>
        Array.from({ length: each }, () => {
          const id = app.newId();
          return { id, userId, secret: seal('secret', webhookSecretContext(id), app.sealingKeys) };
        }),
      );
      await query(
        `insert into webhooks (id, user_id, name, url, events, secret, failure_count, created_at, updated_at)
        select id, "userId", '', $1, array['post.published'], secret, $2, now(), now()
        from jsonb_to_recordset($3) as hook (id text, "userId" text, secret text)`,
        receiver.url(path),
        failureCount,
        JSON.stringify(hooks),
      );
    },
    /** Emits events in one transaction to all webhooks of the users: each about its own post, or all about one. */
    async emit(
      numbers: readonly number[],
      { post, attempts = 0, users = [ada.id] }: { post?: string; attempts?: number; users?: readonly string[] } = {},
    ) {
      const rows = users.flatMap((userId) =>
        numbers.map((n) => {
          const postGroupId = post ?? `post ${n}`;
          return { id: app.newId(), userId, postGroupId, body: bodyWith({ postGroupId, n }, clock.now()) };
        }),
      );
      const client = await service.database.pool.connect();
      await client.query('begin');
      await client.query(
        `insert into events (id, user_id, type, post_group_id, body, created_at)
        select id, "userId", 'post.published', "postGroupId", body, $1
        from jsonb_to_recordset($2) as event (id text, "userId" text, "postGroupId" text, body text)`,
        [clock.now(), JSON.stringify(rows)],
      );
      const ids = rows.map(({ id }) => id);
      // Simulates this many earlier attempts.
      await client.query('update webhook_deliveries set attempts = $1 where event_id = any($2)', [attempts, ids]);
      await client.query('commit');
      client.release();
    },
    async advance(seconds: number) {
      clock.advance({ seconds });
      await query(`select pg_notify('webhook_due', '')`);
    },
    /** Makes a change and waits until deliverers have been notified of it. */
    async notified<T>(change: () => Promise<T>): Promise<T> {
      const notified = Promise.withResolvers<void>();
      app.listener.on('webhook_changed', () => notified.resolve());
      const answer = await change();
      await notified.promise;
      return answer;
    },
    /** Waits until no webhook is leased and nothing is due. */
    idle: () =>
      eventually(
        async () => {
          const { rowCount } = await query(
            `select from webhooks where lease is not null or is_active and exists (
              select from webhook_deliveries where webhook_id = webhooks.id and run_at <= $1)`,
            clock.now(),
          );
          if (rowCount !== 0) throw new Error('It is still delivering.');
        },
        { interval: 20 },
      ),
    /** Long enough for an unwanted delivery to arrive. */
    pause: () => sleep(150),
    async close() {
      await Promise.all(deliverers.map((deliverer) => deliverer.stop(0)));
      await service.close();
      await receiver.close();
    },
  };
}

/** The body of a numbered event, so that a test can tell deliveries apart. */
export const bodyWith = (data: { postGroupId: string; n: number }, now: Date) =>
  JSON.stringify({ version: '1', event: 'post.published', timestamp: now.toISOString(), data });

export type DeliveryStage = Awaited<ReturnType<typeof deliveryStage>>;

/** Holds responses back until it is opened. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: () => resolve() };
}
