import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { waitingMails } from '../../../../test/support/service/queued-mail.ts';
import { recordedLog } from '../../../../test/support/service/recorded-log.ts';
import { type DeliveryStage, deliveryStage, type Hook } from '../../../../test/support/stages/webhooks.ts';
import { deliverBatch, inTurn, type LeasedWebhook } from './deliver-batch.ts';
import { leaseWebhooks } from './lease-queries.ts';

let stage: DeliveryStage;
const { log, lines } = recordedLog();
beforeAll(async () => {
  stage = await deliveryStage({ log });
});
afterEach(async () => {
  await stage.query('with deliveries as (delete from webhook_deliveries) delete from webhooks');
  await stage.query('delete from mails');
  lines.length = 0;
});
afterAll(() => stage.close());

const upTo = (count: number) => [...Array(count).keys()];
const inOneMinute = () => new Date(stage.clock.now().getTime() + 60_000);

async function leaseOf({ id }: Hook, more: Partial<LeasedWebhook> = {}): Promise<LeasedWebhook> {
  const lease = stage.service.app.newId();
  const slots = { lease, now: stage.clock.now(), until: inOneMinute(), free: { quick: 8, slow: 8 } };
  await leaseWebhooks(stage.service.app.db, slots);
  const { signal } = new AbortController();
  return {
    webhookId: id,
    lease,
    leaseMs: 60_000,
    isSlow: false,
    isInterrupted: false,
    signal,
    onSlow: () => {},
    ...more,
  };
}
/** Delivers one batch of due deliveries, like a process that has just leased the webhook. */
const deliver = async (hook: Hook, more: Partial<LeasedWebhook> = {}) =>
  deliverBatch(stage.service.app, await leaseOf(hook, more));

const isLeased = async ({ id }: Hook) =>
  (await stage.query('select from webhooks where id = $1 and lease is not null', id)).rowCount === 1;
const failures = () => lines.filter(({ level }) => Number(level) > 30);
const secondsUntil = (at: string | null) => (Date.parse(at ?? '') - stage.clock.now().getTime()) / 1000;

type Answer = Parameters<DeliveryStage['receiver']['answer']>[1];

/** Delivers one event to a receiver with this response. */
async function answered(answer: Answer) {
  const hook = await stage.aHook();
  stage.receiver.answer(hook.path, answer);
  await stage.emit([1]);
  const outcome = await deliver(hook);
  return { hook, outcome, delivery: (await hook.log())[0]! };
}

describe('a response', () => {
  test.each([200, 204, 299])('of %i ends the delivery, and the lease is given back with it', async (status) => {
    const { hook, outcome, delivery } = await answered(status);
    expect([outcome, delivery.status, delivery.nextAttemptAt]).toEqual(['released', 'delivered', null]);
    expect(await isLeased(hook)).toBe(false);
    expect(await hook.read()).toMatchObject({ failureCount: 0 });
    expect(failures()).toEqual([]);
  });

  test.each([300, 404, 500])('of %i is retried after 5 s plus at most 20 %', async (status) => {
    const { hook, outcome, delivery } = await answered(status);
    expect([outcome, delivery.status, delivery.attempts.length]).toEqual(['idle', 'pending', 1]);
    expect(secondsUntil(delivery.nextAttemptAt)).toBeGreaterThanOrEqual(5);
    expect(secondsUntil(delivery.nextAttemptAt)).toBeLessThanOrEqual(6);
    expect(await hook.read()).toMatchObject({ isActive: true, failureCount: 1 });
    expect(failures()).toMatchObject([{ level: 40, code: 'WEBHOOK_REFUSED', status, reason: null }]);
  });

  test('that breaks off is retried, and kept up to there', async () => {
    const { delivery } = await answered((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.socket?.destroy());
    });
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ status: 200, answer: 'half' }] });
  });

  test('that never comes is retried, and reported as unreachable', async () => {
    const { delivery } = await answered((response) => void response.socket?.destroy());
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ status: null, answer: '' }] });
    expect(failures()).toMatchObject([{ level: 40, code: 'WEBHOOK_UNREACHABLE', status: null }]);
  });

  test('that is compressed and never ends is read up to 64 kB, and its status counts', async () => {
    let sent = 0;
    const { delivery } = await answered(async (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync('').subarray(0, 10));
      // Blocks that decode to nothing.
      const blocks = Buffer.alloc(50_000, Buffer.from([0, 0, 0, 0xff, 0xff]));
      for (; !response.destroyed && sent < 100_000_000; sent += blocks.length) {
        if (!response.write(blocks)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
    });
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 200, error: null, answer: '' }] });
    expect(sent).toBeLessThan(20_000_000);
  });

  test('is logged up to its first 2 kB, also if it arrives in parts', async () => {
    const { delivery } = await answered(async (response) => {
      response.write('begins ');
      await sleep(20);
      response.end('x'.repeat(3000));
    });
    expect(delivery.attempts[0]?.answer).toBe(`begins ${'x'.repeat(2041)}`);
  });

  test.each([
    ['120', 120, 120],
    ['Wed, 03 Mar 2027 00:00:00 GMT', 5, 6],
    ['Thu, 04 Mar 2027 05:16:07 GMT', 599, 600],
    ['soon', 5, 6],
    ['0', 5, 6],
  ])('with "Retry-After: %s" is retried after %i s to %i s', async (header, from, to) => {
    const { delivery } = await answered((response) => void response.writeHead(503, { 'retry-after': header }).end());
    expect(secondsUntil(delivery.nextAttemptAt)).toBeGreaterThanOrEqual(from);
    expect(secondsUntil(delivery.nextAttemptAt)).toBeLessThanOrEqual(to);
  });

  test('after more than a second makes the webhook a slow one, while it is waited for', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, async (response) => {
      await sleep(1_050);
      response.end();
    });
    await stage.emit([1]);
    let noticed = 0;
    await deliver(hook, { onSlow: () => (noticed += 1) });
    const { rows } = await stage.query('select is_slow from webhooks');
    expect([noticed, rows]).toEqual([1, [{ is_slow: true }]]);
    stage.receiver.answer(hook.path, 200);
    await stage.emit([2]);
    await deliver(hook);
    expect((await stage.query('select is_slow from webhooks')).rows).toEqual([{ is_slow: false }]);
  });
});

test('slow webhooks use the database two at a time, and quick ones do not wait for them', async () => {
  const running = { slow: 0, quick: 0 };
  const most = { ...running };
  const { signal } = new AbortController();
  const statement = (isSlow: boolean) => (_: unknown, index: number) => {
    const kind = isSlow ? 'slow' : 'quick';
    const webhook = { webhookId: `${kind}${index}`, lease: '', leaseMs: 60_000, isSlow, isInterrupted: false };
    return inTurn({ ...webhook, signal, onSlow: () => {} }, async () => {
      running[kind] += 1;
      most[kind] = Math.max(most[kind], running[kind]);
      await sleep(5);
      running[kind] -= 1;
    });
  };
  await Promise.all([...upTo(20).map(statement(true)), ...upTo(20).map(statement(false))]);
  expect(most).toEqual({ slow: 2, quick: 20 });
});

describe('the eighth failure', () => {
  test('ends the delivery, and is logged as an error', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, 500);
    await stage.emit([1], { attempts: 7 });
    await deliver(hook);
    expect(await hook.log()).toMatchObject([{ status: 'failed', nextAttemptAt: null }]);
    expect(await hook.read()).toMatchObject({ isActive: true });
    expect(failures()).toMatchObject([{ level: 50, msg: 'webhook delivery failed for good' }]);
    expect(await waitingMails(stage.service.app)).toEqual([]);
  });

  test('of five events in a row disables the webhook, and its owner gets a mail', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, 500);
    await stage.emit(upTo(5), { attempts: 7 });
    await deliver(hook);
    expect(await hook.read()).toMatchObject({ isActive: false, failureCount: 5 });
    const reason = '5 events in a row could not be delivered in any of their attempts.';
    expect(await waitingMails(stage.service.app)).toMatchObject([{ kind: 'webhook_disabled', data: { reason } }]);
  });

  test('of five events does not disable it if another event was delivered after them', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, async (response, { body }) => {
      const isLast = JSON.parse(body).data.n === 4;
      await sleep(isLast ? 50 : 0);
      response.writeHead(isLast ? 200 : 500).end();
    });
    await stage.emit(upTo(5), { attempts: 7 });
    expect(await deliver(hook)).toBe('idle');
    expect(await hook.read()).toMatchObject({ isActive: true, failureCount: 0 });
  });
});

test('a receiver that answers 410 is disabled, and its owner gets a mail', async () => {
  const { hook } = await answered(410);
  expect(await hook.read()).toMatchObject({ isActive: false, failureCount: 1 });
  const reason = 'The receiver answered 410, which says that it is gone for good.';
  expect(await waitingMails(stage.service.app)).toMatchObject([{ kind: 'webhook_disabled', data: { reason } }]);
});

describe('of many deliveries', () => {
  test('a batch has at most 32, and the lease is kept for the rest', async () => {
    const hook = await stage.aHook();
    await stage.emit(upTo(33));
    expect(await deliver(hook)).toBe('more');
    expect(hook.received().length).toBeLessThanOrEqual(32);
    expect(await isLeased(hook)).toBe(true);
  });

  test('none is sent after a receiver could not be reached', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, (response) => void response.socket?.destroy());
    await stage.emit(upTo(32));
    await deliver(hook);
    expect(hook.received().length).toBeLessThanOrEqual(8);
  });

  test('those of other posts are sent after a refusal, and later ones of the same post wait', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, 500);
    await stage.emit([1, 2], { post: 'one' });
    await stage.emit([10], { post: 'other' });
    await deliver(hook);
    expect(hook.numbers().toSorted()).toEqual([1, 10]);
  });

  test('later ones of the same post are sent once the second attempt was refused, too', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, 500);
    await stage.emit([1, 2], { post: 'one', attempts: 1 });
    await deliver(hook);
    expect(hook.numbers()).toEqual([1, 2]);
  });

  test('the rest stays due when the webhook is changed', async () => {
    const hook = await stage.aHook();
    await stage.emit([1, 2], { post: 'one' });
    const leased = await leaseOf(hook);
    stage.receiver.answer(hook.path, (response) => {
      leased.isInterrupted = true;
      response.end();
    });
    expect(await deliverBatch(stage.service.app, leased)).toBe('more');
    expect(hook.numbers()).toEqual([1]);
    expect(await isLeased(hook)).toBe(true);
  });

  test('those that a stop aborts count as not attempted', async () => {
    const hook = await stage.aHook();
    const stopping = new AbortController();
    stage.receiver.answer(hook.path, () => stopping.abort());
    await stage.emit([1]);
    expect(await deliver(hook, { signal: stopping.signal })).toBe('idle');
    expect(await hook.log()).toMatchObject([{ status: 'pending', attempts: [] }]);
  });
});

test('nothing is sent without a lease, or when nothing is due', async () => {
  const hook = await stage.aHook();
  expect(await deliver(hook)).toBe('idle');
  await stage.emit([1]);
  await leaseOf(hook);
  expect(await deliver(hook)).toBe('idle');
  expect(hook.received()).toEqual([]);
});
