import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { isSignedWith } from '../../../../test/support/servers/webhook-receiver.ts';
import { testApp } from '../../../../test/support/service/app.ts';
import { type DeliveryStage, deliveryStage, gate, type Hook } from '../../../../test/support/stages/webhooks.ts';
import { type Deliverer, startDeliverer } from './deliverer.ts';
import { deleteRemovedDeliveries } from './settle-queries.ts';

let stage: DeliveryStage;
let deliverer: Deliverer;
beforeAll(async () => {
  stage = await deliveryStage();
  deliverer = stage.start();
});
afterEach(() => stage.query('with deliveries as (delete from webhook_deliveries) delete from webhooks'));
afterAll(() => stage.close());

const often = { interval: 10 };
const arrived = (hook: Hook, count: number) => eventually(() => expect(hook.received()).toHaveLength(count), often);
const upTo = (count: number) => [...Array(count).keys()];

/** Concurrent deliveries per webhook. */
const concurrency = 8;

/** A webhook with the maximum number of running deliveries and four more waiting. */
async function aBusyHook() {
  const hook = await stage.aHook();
  const door = gate();
  stage.receiver.answer(hook.path, async (response) => {
    await door.passed;
    response.end();
  });
  await stage.emit(upTo(concurrency + 4));
  await arrived(hook, concurrency);
  return { hook, open: door.open };
}

describe('the events of one post', () => {
  test('arrive in the order in which they happened, also within a millisecond', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, async (response, { body }) => {
      await sleep(JSON.parse(body).data.n % 2 === 0 ? 30 : 1);
      response.end();
    });
    await stage.emit(upTo(40), { post: 'one' });
    await stage.idle();
    expect(hook.numbers()).toEqual(upTo(40));
  });

  test('do not delay those of other posts: a slow batch is interrupted for newer events', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, async (response) => {
      await sleep(200);
      response.end();
    });
    await stage.emit(upTo(20), { post: 'one' });
    await arrived(hook, 1);
    await stage.emit([100], { post: 'other' });
    await stage.idle();
    expect(hook.numbers().indexOf(100)).toBeLessThan(15);
    expect(hook.numbers().filter((n) => n < 100)).toEqual(upTo(20));
  });

  test('wait while an earlier event waits for its second attempt', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, 500);
    await stage.emit([1, 2], { post: 'one' });
    await stage.idle();
    await stage.emit([3], { post: 'one' });
    await stage.emit([10], { post: 'other' });
    await stage.idle();
    expect(hook.numbers()).toEqual([1, 10]);
    stage.receiver.answer(hook.path, 200);
    await stage.advance(6);
    await stage.idle();
    expect(hook.numbers().filter((n) => n < 10)).toEqual([1, 1, 2, 3]);
  });

  test('are sent after the second failure of an earlier event, which may be the only one that this receiver refuses', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, (response, { body }) => {
      response.writeHead(JSON.parse(body).data.n === 1 ? 400 : 200).end();
    });
    await stage.emit([1, 2], { post: 'one' });
    await stage.idle();
    await stage.advance(6);
    await stage.idle();
    expect(hook.numbers()).toEqual([1, 1, 2]);
    await stage.emit([3], { post: 'one' });
    await arrived(hook, 4);
  });
});

describe('a receiver that hangs', () => {
  test('delays no other webhook, not even one of the same user at the same host', async () => {
    const [hanging, healthy] = [await stage.aHook(), await stage.aHook()];
    const door = gate();
    stage.receiver.answer(hanging.path, async (response) => {
      await door.passed;
      response.end();
    });
    await stage.emit(upTo(50));
    await eventually(() => expect(healthy.received()).toHaveLength(50), often);
    expect(hanging.received()).toHaveLength(concurrency);
    door.open();
    await arrived(hanging, 50);
    await stage.idle();
  });
});

describe('while deliveries are running', () => {
  test('a webhook that is disabled gets nothing more, and the rest when it is enabled again', async () => {
    const { hook, open } = await aBusyHook();
    await stage.notified(() => stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: false }));
    open();
    await stage.idle();
    const states = (await hook.log()).map(({ status, nextAttemptAt }) => [status, nextAttemptAt]);
    expect(states.filter(([status]) => status === 'delivered')).toHaveLength(concurrency);
    expect(states.filter(([status]) => status === 'pending')).toEqual(Array(4).fill(['pending', null]));
    await stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: true });
    await arrived(hook, concurrency + 4);
    await stage.idle();
    expect(new Set(hook.numbers()).size).toBe(concurrency + 4);
  });

  test('disabling and enabling a webhook neither repeats nor loses a delivery', async () => {
    const { hook, open } = await aBusyHook();
    await stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: false });
    await stage.notified(() => stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: true }));
    await stage.pause();
    expect(hook.received()).toHaveLength(concurrency);
    open();
    await stage.idle();
    expect(hook.numbers().toSorted((a, b) => a - b)).toEqual(upTo(concurrency + 4));
  });

  test('a failure schedules no retry for a webhook that was disabled meanwhile', async () => {
    const hook = await stage.aHook();
    const door = gate();
    stage.receiver.answer(hook.path, async (response) => {
      await door.passed;
      response.writeHead(500).end();
    });
    await stage.emit([1]);
    await arrived(hook, 1);
    await stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: false });
    door.open();
    await stage.idle();
    expect(await hook.log()).toMatchObject([{ status: 'pending', nextAttemptAt: null, attempts: [{ status: 500 }] }]);
    expect(await hook.read()).toMatchObject({ isActive: false, failureCount: 1 });
  });

  test('a new secret signs every delivery that starts after the change', async () => {
    const { hook, open } = await aBusyHook();
    const regenerated = () => stage.ada.call('POST', `/webhooks/${hook.id}/regenerate-secret`);
    const { secret } = (await stage.notified(regenerated)).body;
    open();
    await arrived(hook, concurrency + 4);
    await stage.idle();
    const [before, after] = [hook.received().slice(0, concurrency), hook.received().slice(concurrency)];
    expect(before.every((each) => isSignedWith(hook.secret, each, stage.clock.now()))).toBe(true);
    expect(after.every((each) => isSignedWith(secret, each, stage.clock.now()))).toBe(true);
  });

  test('a new URL gets every delivery that starts after the change', async () => {
    const { hook, open } = await aBusyHook();
    const url = stage.receiver.url(`${hook.path}/moved`);
    await stage.notified(() => stage.ada.call('PATCH', `/webhooks/${hook.id}`, { url }));
    open();
    await eventually(() => expect(stage.receiver.received(`${hook.path}/moved`)).toHaveLength(4), often);
    expect(hook.received()).toHaveLength(concurrency);
    await stage.idle();
  });

  test('a webhook that is deleted gets nothing more, and others still get theirs', async () => {
    const { hook, open } = await aBusyHook();
    const other = await stage.aHook();
    await stage.notified(() => stage.ada.call('DELETE', `/webhooks/${hook.id}`));
    open();
    await stage.emit([99]);
    await arrived(other, 1);
    await stage.pause();
    expect(hook.received()).toHaveLength(concurrency);
    await deleteRemovedDeliveries(stage.service.app.db);
    expect((await stage.query('select from webhook_deliveries where webhook_id = $1', hook.id)).rowCount).toBe(0);
  });

  test('stopping lets them finish, and the next process sends the rest immediately', async () => {
    const { hook, open } = await aBusyHook();
    const stopped = deliverer.stop(5000);
    open();
    await stopped;
    expect((await hook.log()).filter(({ status }) => status === 'delivered')).toHaveLength(concurrency);
    deliverer = stage.start();
    await arrived(hook, concurrency + 4);
    await stage.idle();
  });

  test('stopping without a timeout aborts them, and they count as not attempted', async () => {
    const { hook } = await aBusyHook();
    await deliverer.stop(0);
    expect((await hook.log()).every(({ status, attempts }) => status === 'pending' && attempts.length === 0)).toBe(
      true,
    );
    stage.receiver.answer(hook.path, 200);
    deliverer = stage.start();
    await arrived(hook, concurrency + concurrency + 4);
    await stage.idle();
    expect(await hook.read()).toMatchObject({ failureCount: 0 });
  });
});

test('two processes deliver everything once, and each post in order', async () => {
  const { clock, service, receiver } = stage;
  const { database } = service;
  const second = await testApp({ clock, database, environment: receiver.environment, egress: receiver.egress });
  const alsoDelivering = startDeliverer(second.app);
  const hooks = await Promise.all(upTo(6).map(() => stage.aHook()));
  for (const post of upTo(10)) await stage.emit(upTo(10), { post: `post ${post}` });
  await stage.idle();
  for (const hook of hooks) {
    const got = hook.received().map(({ body }) => JSON.parse(body).data as { postGroupId: string; n: number });
    for (const post of upTo(10)) {
      const ofPost = got.filter(({ postGroupId }) => postGroupId === `post ${post}`);
      expect(ofPost.map(({ n }) => n)).toEqual(upTo(10));
    }
  }
  await alsoDelivering.stop(1000);
  await second.close();
});
