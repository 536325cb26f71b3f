import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeliveryStage, deliveryStage, type Hook } from '../../../../test/support/stages/webhooks.ts';
import { deleteRemovedDeliveries, settleSome } from './settle-queries.ts';

let stage: DeliveryStage;
beforeAll(async () => {
  stage = await deliveryStage();
});
afterAll(() => stage.close());

const numbers = (count: number) => [...Array(count).keys()];
const waiting = async ({ id }: Hook) =>
  (await stage.query('select from webhook_deliveries where webhook_id = $1 and run_at is not null', id)).rowCount;
const settle = () => settleSome(stage.service.app.db, stage.clock.now());
const setActive = (hook: Hook, isActive: boolean) => stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive });

test('disabling a webhook pauses its deliveries in batches, and enabling it resumes them in batches', async () => {
  const hook = await stage.aHook();
  await stage.emit(numbers(250));
  await setActive(hook, false);
  expect(await waiting(hook)).toBe(250);
  expect((await hook.log()).every(({ nextAttemptAt }) => nextAttemptAt === null)).toBe(true);
  expect([await settle(), await waiting(hook)]).toEqual([100, 150]);
  expect([await settle(), await settle(), await settle(), await waiting(hook)]).toEqual([100, 50, 0, 0]);
  await setActive(hook, true);
  expect([await settle(), await waiting(hook)]).toEqual([100, 100]);
  expect([await settle(), await settle(), await settle(), await waiting(hook)]).toEqual([100, 50, 0, 250]);
});

test('the deliveries of two users are paused in turns, however many one of them has', async () => {
  const bob = await stage.service.aUser();
  const hooks = [];
  for (let i = 0; i < 5; i += 1) hooks.push(await stage.aHook());
  const one = await stage.aHook({ by: bob });
  await stage.emit(numbers(110));
  await stage.emit([1], { users: [bob.id] });
  for (const hook of hooks) await setActive(hook, false);
  await bob.call('PATCH', `/webhooks/${one.id}`, { isActive: false });
  await settle();
  expect(await waiting(one)).toBe(0);
});

test('the managed users of an owner share its turns', async () => {
  const [owner, bob] = [await stage.service.aUser(), await stage.service.aUser()];
  const hooks = [];
  for (let i = 0; i < 11; i += 1) {
    const brand = await stage.service.aUser();
    await stage.query('update users set parent_user_id = $1 where id = $2', owner.id, brand.id);
    hooks.push({ brand, hook: await stage.aHook({ by: brand }) });
  }
  const one = await stage.aHook({ by: bob });
  const users = [...hooks.map(({ brand }) => brand.id), bob.id];
  await stage.emit([1], { users });
  for (const { brand, hook } of hooks) await brand.call('PATCH', `/webhooks/${hook.id}`, { isActive: false });
  await bob.call('PATCH', `/webhooks/${one.id}`, { isActive: false });
  // After all the others.
  await stage.query(`update webhooks set updated_at = updated_at + interval '1 hour' where id = $1`, one.id);
  await settle();
  expect(await waiting(one)).toBe(0);
});

test('an event while a webhook is being deleted neither waits nor fails, and its delivery is deleted later', async () => {
  const hook = await stage.aHook();
  await stage.emit(numbers(150));
  const client = await stage.service.database.pool.connect();
  try {
    await client.query('begin');
    await client.query('delete from webhooks where id = $1', [hook.id]);
    await stage.emit([1]);
    await client.query('commit');
  } finally {
    client.release();
  }
  const left = async () =>
    (await stage.query('select from webhook_deliveries where webhook_id = $1', hook.id)).rowCount;
  expect(await left()).toBe(151);
  await deleteRemovedDeliveries(stage.service.app.db);
  expect(await left()).toBe(0);
});
