import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import type { DelivererOptions } from '../../../../test/support/processes/webhook-deliverer.ts';
import { openReceiver, type Receiver } from '../../../../test/support/servers/webhook-receiver.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { bodyWith } from '../../../../test/support/stages/webhooks.ts';
import { sealingKey } from '../../../foundation/lib/seal.ts';
import { startDeliverer } from './deliverer.ts';

const program = fileURLToPath(new URL('../../../../test/support/processes/webhook-deliverer.ts', import.meta.url));
const sealedWith = '5e'.repeat(32);
const leaseMs = 2000;

let receiver: Receiver;
let service: TestService;
let ada: TestUser;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await testService({ environment: receiver.environment, egress: receiver.egress });
  ada = await service.aUser();
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

async function inAnotherProcess(work: (kill: () => Promise<void>) => Promise<void>) {
  const options: DelivererOptions = {
    databaseUrl: service.database.url,
    sealingKey: sealedWith,
    environment: receiver.environment,
    ca: receiver.egress.ca,
    leaseMs,
  };
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  try {
    await work(kill);
  } finally {
    await kill();
  }
}

test('after a kill between response and record, every delivery is repeated under its id and none is lost', async () => {
  expect(service.app.sealingKeys.current).toEqual(sealingKey(sealedWith));
  const url = receiver.url('/hook');
  const made = await ada.call('POST', '/webhooks', { name: 'Mine', url, events: ['post.published'] });
  const { _id: webhookId } = made.body.webhook;
  const numbers = [...Array(5).keys()];
  for (const n of numbers) {
    const [postGroupId, now] = [`post ${n % 2}`, service.app.clock.now()];
    await service.database.pool.query(
      `insert into events (id, user_id, type, post_group_id, body, created_at)
      values ($1, $2, 'post.published', $3, $4, $5)`,
      [service.app.newId(), ada.id, postGroupId, bodyWith({ postGroupId, n }, now), now],
    );
  }

  const client = await service.database.pool.connect();
  await inAnotherProcess(async (kill) => {
    // The lock delays recording the attempt. PostgreSQL does not notice that the client is gone, so terminate its
    // statement explicitly.
    await client.query('begin');
    await client.query('lock table webhook_attempts in exclusive mode');
    const waiting = `from pg_locks where relation = 'webhook_attempts'::regclass and not granted`;
    await eventually(async () => expect((await service.database.pool.query(`select ${waiting}`)).rowCount).toBe(1), {
      interval: 20,
    });
    await kill();
    await service.database.pool.query(`select pg_terminate_backend(pid, 5000) ${waiting}`);
  });
  await client.query('rollback');
  client.release();

  const log = async () => (await ada.call('GET', `/webhooks/${webhookId}/deliveries`)).body.deliveries;
  const stored = await log();
  for (const each of stored) expect(each).toMatchObject({ status: 'pending', attempts: [] });

  // How many deliveries it sent before its first record had to wait depends on the machine.
  const first = receiver.received();
  expect(first.length).toBeGreaterThan(0);
  const before = performance.now();
  const next = startDeliverer(service.app, { leaseMs });
  await eventually(() => expect(receiver.received()).toHaveLength(first.length + 5), {
    interval: 20,
  });
  expect(performance.now() - before).toBeLessThan(leaseMs + 5000);
  await next.stop(5000);
  for (const each of await log()) expect(each).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] });

  const second = receiver.received().slice(first.length);
  const idsAndBodies = (received: typeof first) =>
    received.map(({ headers, body }) => [headers['webhook-id'], body]).toSorted();
  expect(idsAndBodies(second)).toEqual(expect.arrayContaining(idsAndBodies(first)));
  expect(new Set(second.map(({ headers }) => headers['webhook-id'])).size).toBe(5);
});
