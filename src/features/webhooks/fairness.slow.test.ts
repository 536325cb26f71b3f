import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { type DeliveryStage, deliveryStage, gate } from '../../../test/support/stages/webhooks.ts';

let stage: DeliveryStage;
let door = gate();
let bystander: Awaited<ReturnType<DeliveryStage['aHook']>>;

beforeAll(async () => {
  stage = await deliveryStage();
  stage.start();
});
afterAll(() => stage.close());
beforeEach(async () => {
  hold();
  bystander = await stage.aHook();
});
afterEach(async () => {
  door.open();
  await stage.idle();
  await stage.query('with deliveries as (delete from webhook_deliveries) delete from webhooks');
});

const often = { interval: 10 };
const upTo = (count: number) => [...Array(count).keys()];
/** Each test has its own address. */
const path = () => `/${encodeURIComponent(expect.getState().currentTestName ?? '')}`;

/** From now on, receivers get deliveries but do not respond until the door is opened. */
function hold() {
  door = gate();
  const { passed } = door;
  stage.receiver.answer(path(), (response) => void passed.then(() => response.end()));
}
/** Deliveries that receivers got. */
const received = () => stage.receiver.received(path()).length;
/** Deliveries whose first attempt is over, because the receiver responded or the attempt timed out. */
const ended = async () =>
  (await stage.query('select from webhook_deliveries where attempts > 0 and webhook_id <> $1', bystander.id)).rowCount;

/** Per process. */
const capacity = { quick: 128, slow: 64 };

/**
 * Emits an event to another user, whose webhook gets it while every other receiver is still withholding its response.
 */
async function theBystanderIsServed() {
  const before = bystander.received().length;
  await stage.emit([1]);
  await eventually(() => expect(bystander.received()).toHaveLength(before + 1), often);
}

describe('receivers that respond slowly', () => {
  test('of one owner take half of the capacity', async () => {
    const users = await stage.users(1);
    await stage.addHooks(users, path(), { each: 300 });
    await stage.emit([1], { users });
    await eventually(() => expect(received()).toBeGreaterThanOrEqual(capacity.quick / 2), often);
    await theBystanderIsServed();
    expect(await ended()).toBe(0);
    // When they turn out to be slow, other webhooks of the owner are tried, but never more than the capacity.
    expect(received()).toBeLessThanOrEqual(capacity.quick);
  });

  test('of many managed users are those of one owner', async () => {
    const [owner = ''] = await stage.users(1);
    const users = await stage.users(30, { managedBy: owner });
    await stage.addHooks(users, path(), { each: 10 });
    await stage.emit([1], { users });
    await eventually(() => expect(received()).toBeGreaterThanOrEqual(capacity.quick / 2), often);
    await theBystanderIsServed();
    expect(await ended()).toBe(0);
    expect(received()).toBeLessThanOrEqual(capacity.quick);
  });

  test('of a few owners leave capacity to others', async () => {
    const users = await stage.users(13);
    await stage.addHooks(users, path(), { each: 10 });
    await stage.emit([1], { users });
    await eventually(() => expect(received()).toBeGreaterThan(100), often);
    await theBystanderIsServed();
    expect(await ended()).toBe(0);
  });

  test('of more owners than are served at a time make room as soon as they turn out to be slow', async () => {
    const users = await stage.users(capacity.quick + 30);
    await stage.addHooks(users, path());
    await stage.emit([1], { users });
    await eventually(() => expect(received()).toBe(users.length), often);
    await theBystanderIsServed();
    expect(await ended()).toBe(0);
  });

  test('count as slow from then on, and take no capacity from the others', async () => {
    const users = await stage.users(capacity.slow + 40);
    await stage.addHooks(users, path());
    stage.receiver.answer(path(), (response) => void setTimeout(() => response.end(), 1_200));
    await stage.emit([1], { users });
    await stage.idle();
    const { rowCount } = await stage.query('select from webhooks where is_slow');
    expect(rowCount).toBe(users.length);

    const before = received();
    hold();
    await stage.emit([2], { users });
    await eventually(() => expect(received() - before).toBe(capacity.slow), often);
    await theBystanderIsServed();
    expect(received() - before).toBe(capacity.slow);
    // One quick response is enough to count as quick again.
    stage.receiver.answer(path(), 200);
    door.open();
    await stage.idle();
    await stage.emit([3], { users });
    await stage.idle();
    expect((await stage.query('select from webhooks where is_slow')).rowCount).toBe(0);
  });

  test('and failed before take no capacity from the others, however many there are', async () => {
    const users = await stage.users(100);
    await stage.addHooks(users, path(), { failureCount: 1 });
    await stage.emit([1], { users });
    await eventually(() => expect(received()).toBe(capacity.slow), often);
    await theBystanderIsServed();
    expect(received()).toBe(capacity.slow);
    door.open();
    await stage.idle();
    expect(received()).toBe(users.length);
  });
});

test('webhooks with many deliveries take turns with others', async () => {
  const users = await stage.users(capacity.quick + 10);
  await stage.addHooks(users, path());
  stage.receiver.answer(path(), (response) => void setTimeout(() => response.end(), 800));
  const events = 8;
  // Deliveries for one post are sent one after the other.
  await stage.emit(upTo(events), { users, post: 'one' });
  await eventually(() => expect(received()).toBeGreaterThanOrEqual(capacity.quick), often);
  await theBystanderIsServed();
  expect(received()).toBeLessThan((users.length * events) / 2);
});
