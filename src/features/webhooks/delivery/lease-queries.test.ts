import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type DeliveryStage, deliveryStage } from '../../../../test/support/stages/webhooks.ts';
import { endLease, leaseWebhooks, nextDeliveryTime } from './lease-queries.ts';

let stage: DeliveryStage;
beforeAll(async () => {
  stage = await deliveryStage();
});
afterEach(() => stage.query('with deliveries as (delete from webhook_deliveries) delete from webhooks'));
afterAll(() => stage.close());

const free = { quick: 8, slow: 4 };
const secondsFromNow = (seconds: number) => new Date(stage.clock.now().getTime() + seconds * 1000);

/** Leases due webhooks for a minute, as a different process each time. */
async function leased(lease: string): Promise<string[]> {
  const now = stage.clock.now();
  const webhooks = await leaseWebhooks(stage.service.app.db, { lease, now, until: secondsFromNow(60), free });
  return webhooks.map(({ id }) => id);
}
const nextLook = (slots = free) => nextDeliveryTime(stage.service.app.db, stage.clock.now(), slots);

describe('a webhook with a delivery that is due', () => {
  test('is leased by one process until the lease ends', async () => {
    const { id } = await stage.aHook();
    expect(await leased('early')).toEqual([]);
    await stage.emit([1]);
    expect(await leased('first')).toEqual([id]);
    stage.clock.advance({ seconds: 59 });
    expect(await leased('second')).toEqual([]);
    stage.clock.advance({ seconds: 1 });
    expect(await leased('third')).toEqual([id]);
  });

  test('is looked at again when the lease of a dead process ends', async () => {
    await stage.aHook();
    await stage.emit([1]);
    await leased('dead');
    expect(await nextLook()).toEqual(secondsFromNow(60));
  });

  test('can be leased again after its lease was given back, which only the process that has it can do', async () => {
    const { id } = await stage.aHook();
    await stage.emit([1]);
    await leased('first');
    await endLease(stage.service.app.db, id, 'another');
    expect(await leased('second')).toEqual([]);
    await endLease(stage.service.app.db, id, 'first');
    expect(await leased('second')).toEqual([id]);
  });

  test('is not leased while it is disabled, and is not waited for', async () => {
    const { id } = await stage.aHook();
    await stage.emit([1]);
    await stage.ada.call('PATCH', `/webhooks/${id}`, { isActive: false });
    expect(await leased('first')).toEqual([]);
    expect(await nextLook()).toBeNull();
  });

  test('takes a slot of the slow ones once a delivery has failed, and waits while they are taken', async () => {
    const { id } = await stage.aHook();
    await stage.emit([1]);
    await stage.query('update webhooks set failure_count = 1');
    const { db } = stage.service.app;
    const [now, until] = [stage.clock.now(), secondsFromNow(60)];
    expect(await leaseWebhooks(db, { lease: 'first', now, until, free: { quick: 8, slow: 0 } })).toEqual([]);
    expect(await nextLook({ quick: 8, slow: 0 })).toBeNull();
    expect(await leaseWebhooks(db, { lease: 'first', now, until, free: { quick: 0, slow: 4 } })).toEqual([
      { id, slow: true },
    ]);
  });
});
