import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { isSignedWith } from '../../test/support/webhook-receiver.ts';
import { type DeliveryStage, deliveryStage, gate, type Hook } from '../../test/support/webhook-stage.ts';
import { seal, webhookSecretContext } from '../lib/seal.ts';
import { type Deliverer, startDeliverer } from './deliver.ts';

let stage: DeliveryStage;
let deliverer: Deliverer;
beforeAll(async () => {
  stage = await deliveryStage();
  deliverer = stage.start();
});
afterEach(() => stage.query('delete from webhooks'));
afterAll(() => stage.close());

const soon = { timeout: 5000, interval: 10 };
const arrived = (hook: Hook, count: number) => vi.waitFor(() => expect(hook.received()).toHaveLength(count), soon);
const upTo = (count: number) => [...Array(count).keys()];

/** How many deliveries to one webhook are under way at once. */
const atOnce = 8;

/** A webhook with as many deliveries under way as it may have, and four more waiting behind them. */
async function aBusyHook() {
  const hook = await stage.aHook();
  const door = gate();
  stage.receiver.answer(hook.path, async (response) => {
    await door.passed;
    response.end();
  });
  await stage.tell(upTo(atOnce + 4));
  await arrived(hook, atOnce);
  return { hook, open: door.open };
}

describe('the events of one post', () => {
  test('arrive in the order in which they happened, also those of one moment', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, async (response, { body }) => {
      await sleep(JSON.parse(body).data.n % 2 === 0 ? 30 : 1);
      response.end();
    });
    await stage.tell(upTo(40), { post: 'one' });
    await stage.settled();
    expect(hook.numbers()).toEqual(upTo(40));
  });

  test('do not keep others waiting: a slow run of one post is interrupted for what came meanwhile', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, async (response) => {
      await sleep(200);
      response.end();
    });
    await stage.tell(upTo(20), { post: 'one' });
    await arrived(hook, 1);
    await stage.tell([100], { post: 'other' });
    await stage.settled();
    expect(hook.numbers().indexOf(100)).toBeLessThan(15);
    expect(hook.numbers().filter((n) => n < 100)).toEqual(upTo(20));
  });

  test('wait while an earlier one waits for its second attempt', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, 500);
    await stage.tell([1, 2], { post: 'one' });
    await stage.settled();
    await stage.tell([3], { post: 'one' });
    await stage.tell([10], { post: 'other' });
    await stage.settled();
    expect(hook.numbers()).toEqual([1, 10]);
    stage.receiver.answer(hook.path, 200);
    await stage.advance(6);
    await stage.settled();
    expect(hook.numbers().filter((n) => n < 10)).toEqual([1, 1, 2, 3]);
  });

  test('go on without one that fails again: it may be the only one that this receiver cannot take', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, (response, { body }) => {
      response.writeHead(JSON.parse(body).data.n === 1 ? 400 : 200).end();
    });
    await stage.tell([1, 2], { post: 'one' });
    await stage.settled();
    await stage.advance(6);
    await stage.settled();
    expect(hook.numbers()).toEqual([1, 1, 2]);
    await stage.tell([3], { post: 'one' });
    await arrived(hook, 4);
  });
});

describe('a receiver that hangs', () => {
  test('delays no other webhook, not even one of the same user at the same host', async () => {
    const [hanging, sound] = [await stage.aHook(), await stage.aHook()];
    const door = gate();
    stage.receiver.answer(hanging.path, async (response) => {
      await door.passed;
      response.end();
    });
    await stage.tell(upTo(50));
    await vi.waitFor(() => expect(sound.received()).toHaveLength(50), { timeout: 4000, interval: 10 });
    expect(hanging.received()).toHaveLength(atOnce);
    door.open();
    await arrived(hanging, 50);
    await stage.settled();
  });

  test('takes no place of those that work, however many there are', async () => {
    const { app } = stage.service;
    const door = gate();
    stage.receiver.answer('/hanging', async (response) => {
      await door.passed;
      response.end();
    });
    const hooks = upTo(150).map(() => {
      const id = app.newId();
      return { id, secret: seal('secret', webhookSecretContext(id), app.sealingKeys) };
    });
    await stage.query(
      `insert into webhooks (id, user_id, name, url, events, secret, failure_count, created_at, updated_at)
      select id, $1, '', $2, array['post.published'], secret, 1, now(), now()
      from jsonb_to_recordset($3) as hook (id text, secret text)`,
      stage.ada.id,
      stage.receiver.url('/hanging'),
      JSON.stringify(hooks),
    );
    await stage.tell([1]);
    await vi.waitFor(() => expect(stage.receiver.received('/hanging').length).toBeGreaterThan(60), soon);
    const grace = await stage.service.aUser();
    const sound = await stage.aHook({ by: grace });
    await grace.call('POST', `/webhooks/${sound.id}/test`);
    await vi.waitFor(() => expect(sound.received()).toHaveLength(1), { timeout: 1500, interval: 10 });
    expect(stage.receiver.received('/hanging').length).toBeLessThan(150);
    door.open();
    await stage.settled();
    expect(stage.receiver.received('/hanging')).toHaveLength(150);
  });
});

describe('while deliveries are under way', () => {
  test('a webhook that is switched off gets nothing more, and the rest when it is switched on again', async () => {
    const { hook, open } = await aBusyHook();
    await stage.heard(() => stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: false }));
    open();
    await stage.settled();
    const states = (await hook.log()).map(({ status, nextAttemptAt }) => [status, nextAttemptAt]);
    expect(states.filter(([status]) => status === 'delivered')).toHaveLength(atOnce);
    expect(states.filter(([status]) => status === 'pending')).toEqual(Array(4).fill(['pending', null]));
    await stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: true });
    await arrived(hook, atOnce + 4);
    await stage.settled();
    expect(new Set(hook.numbers()).size).toBe(atOnce + 4);
  });

  test('switching off and on again repeats and loses nothing', async () => {
    const { hook, open } = await aBusyHook();
    await stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: false });
    await stage.heard(() => stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: true }));
    await stage.pause();
    expect(hook.received()).toHaveLength(atOnce);
    open();
    await stage.settled();
    expect(hook.numbers().toSorted((a, b) => a - b)).toEqual(upTo(atOnce + 4));
  });

  test('a failure does not bring back what was switched off meanwhile', async () => {
    const hook = await stage.aHook();
    const door = gate();
    stage.receiver.answer(hook.path, async (response) => {
      await door.passed;
      response.writeHead(500).end();
    });
    await stage.tell([1]);
    await arrived(hook, 1);
    await stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: false });
    door.open();
    await stage.settled();
    expect(await hook.log()).toMatchObject([{ status: 'pending', nextAttemptAt: null, attempts: [{ status: 500 }] }]);
    expect(await hook.read()).toMatchObject({ isActive: false, failureCount: 1 });
  });

  test('a new secret signs all that is sent from then on', async () => {
    const { hook, open } = await aBusyHook();
    const regenerated = () => stage.ada.call('POST', `/webhooks/${hook.id}/regenerate-secret`);
    const { secret } = (await stage.heard(regenerated)).body;
    open();
    await arrived(hook, atOnce + 4);
    await stage.settled();
    const [before, after] = [hook.received().slice(0, atOnce), hook.received().slice(atOnce)];
    expect(before.every((each) => isSignedWith(hook.secret, each, stage.clock.now()))).toBe(true);
    expect(after.every((each) => isSignedWith(secret, each, stage.clock.now()))).toBe(true);
  });

  test('a new address gets all that is sent from then on', async () => {
    const { hook, open } = await aBusyHook();
    const url = stage.receiver.url(`${hook.path}/moved`);
    await stage.heard(() => stage.ada.call('PATCH', `/webhooks/${hook.id}`, { url }));
    open();
    await vi.waitFor(() => expect(stage.receiver.received(`${hook.path}/moved`)).toHaveLength(4), soon);
    expect(hook.received()).toHaveLength(atOnce);
    await stage.settled();
  });

  test('a webhook that is deleted gets nothing more, and its end harms nobody', async () => {
    const { hook, open } = await aBusyHook();
    const other = await stage.aHook();
    await stage.heard(() => stage.ada.call('DELETE', `/webhooks/${hook.id}`));
    open();
    await stage.tell([99]);
    await arrived(other, 1);
    await stage.pause();
    expect(hook.received()).toHaveLength(atOnce);
    expect((await stage.query('select from webhook_deliveries where webhook_id = $1', hook.id)).rowCount).toBe(0);
  });

  test('stopping lets them end, and leaves the rest to the next process at once', async () => {
    const { hook, open } = await aBusyHook();
    const stopped = deliverer.stop(5000);
    open();
    await stopped;
    expect((await hook.log()).filter(({ status }) => status === 'delivered')).toHaveLength(atOnce);
    deliverer = stage.start();
    await arrived(hook, atOnce + 4);
    await stage.settled();
  });

  test('stopping that cannot wait breaks them off, as if they had not been begun', async () => {
    const { hook } = await aBusyHook();
    await deliverer.stop(0);
    expect((await hook.log()).every(({ status, attempts }) => status === 'pending' && attempts.length === 0)).toBe(
      true,
    );
    stage.receiver.answer(hook.path, 200);
    deliverer = stage.start();
    await arrived(hook, atOnce + atOnce + 4);
    await stage.settled();
    expect(await hook.read()).toMatchObject({ failureCount: 0 });
  });
});

test('two processes deliver everything once, and each post in order', async () => {
  const { clock, service, receiver } = stage;
  const { database } = service;
  const second = await testApp({ clock, database, environment: receiver.environment, egress: receiver.egress });
  const alsoDelivering = startDeliverer(second.app);
  const hooks = await Promise.all(upTo(6).map(() => stage.aHook()));
  for (const post of upTo(10)) await stage.tell(upTo(10), { post: `post ${post}` });
  await stage.settled();
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
