import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { type DeliveryStage, deliveryStage, gate, type Hook } from '../../../../test/support/stages/webhooks.ts';
import type { Deliverer } from './deliverer.ts';

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

test('a delivery that fails is sent again when its retry is due, and not before', async () => {
  const hook = await stage.aHook();
  stage.receiver.answer(hook.path, 500);
  await stage.emit([1]);
  await stage.idle();
  expect(hook.numbers()).toEqual([1]);
  stage.receiver.answer(hook.path, 200);
  await stage.advance(6);
  await arrived(hook, 2);
  await stage.idle();
  expect(await hook.log()).toMatchObject([{ status: 'delivered', attempts: [{ status: 500 }, { status: 200 }] }]);
});

test('more webhooks than a process serves at the same time all get their deliveries', async () => {
  const users = await stage.users(140);
  await stage.addHooks(users, '/many');
  await stage.emit([1], { users });
  await eventually(() => expect(stage.receiver.received('/many')).toHaveLength(140), often);
  await stage.idle();
});

/** Receivers that do not respond until the door is opened. */
function hanging(path: string) {
  const door = gate();
  stage.receiver.answer(path, async (response) => {
    await door.passed;
    response.end();
  });
  return door;
}

test('webhooks that turn out to be slow make room for quick ones while they are waited for', async () => {
  const users = await stage.users(128);
  await stage.addHooks(users, '/turns-slow');
  const door = hanging('/turns-slow');
  await stage.emit([1], { users });
  await eventually(() => expect(stage.receiver.received('/turns-slow')).toHaveLength(128), often);
  const quick = await stage.aHook();
  await stage.emit([1]);
  await arrived(quick, 1);
  const { rowCount } = await stage.query(`select from webhooks where lease is not null and url like '%/turns-slow'`);
  expect(rowCount, 'the slow ones are still waited for').toBe(128);
  door.open();
  await stage.idle();
});

test('at most 64 webhooks that are known to be slow are served at the same time', async () => {
  const users = await stage.users(70);
  await stage.addHooks(users, '/known-slow', { failureCount: 1 });
  const door = hanging('/known-slow');
  await stage.emit([1], { users });
  await eventually(() => expect(stage.receiver.received('/known-slow')).toHaveLength(64), often);
  // Longer than a quick webhook may take.
  await sleep(1_300);
  expect(stage.receiver.received('/known-slow')).toHaveLength(64);
  door.open();
  await eventually(() => expect(stage.receiver.received('/known-slow')).toHaveLength(70), often);
  await stage.idle();
});

test('a process that stops lets its deliveries end, and the next one sends the rest', async () => {
  const hook = await stage.aHook();
  const door = gate();
  stage.receiver.answer(hook.path, async (response) => {
    await door.passed;
    response.end();
  });
  await stage.emit([1, 2], { post: 'one' });
  await arrived(hook, 1);
  const stopped = deliverer.stop(5_000);
  door.open();
  await stopped;
  expect(hook.numbers()).toEqual([1]);
  deliverer = stage.start();
  await arrived(hook, 2);
  await stage.idle();
});
