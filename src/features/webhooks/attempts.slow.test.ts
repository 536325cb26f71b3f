import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { isSignedWith } from '../../../test/support/servers/webhook-receiver.ts';
import { waitingMails } from '../../../test/support/service/queued-mail.ts';
import { recordedLog } from '../../../test/support/service/recorded-log.ts';
import { type DeliveryStage, deliveryStage, type Hook } from '../../../test/support/stages/webhooks.ts';
import { deleteOld } from './delivery/delivery-queries.ts';

let stage: DeliveryStage;
const { log, lines } = recordedLog();
beforeAll(async () => {
  stage = await deliveryStage({ log });
  stage.start();
});
afterEach(() => stage.query('with deliveries as (delete from webhook_deliveries) delete from webhooks'));
afterAll(() => stage.close());

const arrived = (hook: Hook, count: number) =>
  eventually(() => expect(hook.received()).toHaveLength(count), { interval: 10 });
const first = async (hook: Hook) => (await hook.log())[0]!;
const secondsUntil = (at: string | null) => (Date.parse(at ?? '') - stage.clock.now().getTime()) / 1000;

describe('a delivery', () => {
  test('has the headers of the contract and of Standard Webhooks, and is logged with the response', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, (response) => void response.writeHead(202).end(`\0${'é'.repeat(3000)}`));
    await stage.emit([1]);
    await stage.idle();
    const [got] = hook.received();
    const { _id, ...logged } = await first(hook);
    const at = stage.clock.now();
    expect(got?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'post.published',
      'x-service-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
      'webhook-id': _id,
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'user-agent': 'Crier-Webhooks/1',
    });
    expect(isSignedWith(hook.secret, got!, at)).toBe(true);
    expect(isSignedWith(hook.secret, got!, new Date(at.getTime() + 301_000))).toBe(false);
    expect(isSignedWith(hook.secret, { ...got!, body: `${got!.body} ` }, at)).toBe(false);
    expect(logged).toEqual({
      event: 'post.published',
      status: 'delivered',
      attempts: [
        { at: at.toISOString(), durationMs: expect.any(Number), status: 202, error: null, answer: expect.any(String) },
      ],
      nextAttemptAt: null,
      createdAt: at.toISOString(),
      body: got?.body,
    });
    // The first 2 kB: a NUL, which cannot be stored, 1023 two-byte letters, and half a letter.
    expect(logged.attempts[0]?.answer).toBe(`${'é'.repeat(1023)}\ufffd`);
    expect(await hook.read()).toMatchObject({ failureCount: 0, lastTriggeredAt: at.toISOString() });
  });

  test('can be resent with the same bytes and the same id', async () => {
    const hook = await stage.aHook();
    await stage.emit([1]);
    await stage.idle();
    const { _id } = await first(hook);
    await stage.ada.call('POST', `/webhooks/deliveries/${_id.toUpperCase()}/resend`);
    await arrived(hook, 2);
    await stage.idle();
    const [once, again] = hook.received();
    expect([again?.body, again?.headers['webhook-id']]).toEqual([once?.body, _id]);
    expect(await first(hook)).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }, { status: 200 }] });
  });

  test('that fails is logged with its code, user and host, and as an error when no attempt is left', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, (response) => void response.writeHead(500).end());
    lines.length = 0;
    await stage.emit([1]);
    await stage.idle();
    await stage.emit([2], { attempts: 7 });
    await stage.idle();
    const failure = {
      code: 'WEBHOOK_REFUSED',
      userId: stage.ada.id,
      webhookId: hook.id,
      host: new URL(stage.receiver.url('/')).host,
      status: 500,
    };
    expect(lines).toEqual([
      expect.objectContaining({ ...failure, level: 40, nextAttemptAt: expect.any(String) }),
      expect.objectContaining({ ...failure, level: 50, msg: 'webhook delivery failed for good' }),
    ]);
    expect(JSON.stringify(lines)).not.toContain(hook.path);
  });

  test('is deleted after 30 days with its attempts', async () => {
    const hook = await stage.aHook();
    await stage.emit([1]);
    await stage.idle();
    const created = stage.clock.now().getTime();
    await deleteOld(stage.service.app.db, 'webhook_deliveries', new Date(created));
    expect(await hook.log()).toHaveLength(1);
    await deleteOld(stage.service.app.db, 'webhook_deliveries', new Date(created + 1));
    expect(await hook.log()).toEqual([]);
    expect((await stage.query('select from webhook_attempts')).rowCount).toBe(0);
  });
});

describe('a delivery that fails', () => {
  test('is attempted eight times, each after its wait plus at most 20 %, with the same bytes and the same id', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, 500);
    await stage.emit([1]);
    for (const [index, wait] of [5, 300, 1800, 7200, 18_000, 36_000, 36_000].entries()) {
      await arrived(hook, index + 1);
      await stage.idle();
      const { status, nextAttemptAt } = await first(hook);
      const seconds = secondsUntil(nextAttemptAt);
      expect(status).toBe('pending');
      expect(seconds).toBeGreaterThanOrEqual(wait);
      expect(seconds).toBeLessThanOrEqual(wait * 1.2);
      expect(await hook.read()).toMatchObject({ isActive: true, failureCount: index + 1 });
      await stage.advance(seconds - 0.001);
      await stage.pause();
      expect(hook.received()).toHaveLength(index + 1);
      await stage.advance(0.001);
    }
    await arrived(hook, 8);
    await stage.idle();
    expect(await first(hook)).toMatchObject({ status: 'failed', nextAttemptAt: null, attempts: Array(8).fill({}) });
    expect(new Set(hook.received().map(({ body }) => body)).size).toBe(1);
    expect(new Set(hook.received().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(hook.received().map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8);
    await stage.advance(1_000_000);
    await stage.pause();
    expect(hook.received()).toHaveLength(8);
  });

  test('is not retried at the same time as others that failed with it', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, 500);
    await stage.emit([1, 2, 3, 4, 5, 6, 7, 8]);
    await stage.idle();
    expect(new Set((await hook.log()).map(({ nextAttemptAt }) => nextAttemptAt)).size).toBeGreaterThan(1);
  });

  const inSeconds = (seconds: number) => () => String(seconds);
  const onDate = (seconds: number) => () => new Date(stage.clock.now().getTime() + seconds * 1000).toUTCString();
  test.each([
    ['in seconds', 429, inSeconds(120), 120, 120],
    ['as a date', 503, onDate(600), 599, 600],
    ['for less than the scheduled wait', 503, inSeconds(1), 5, 6],
    ['for a date in the past', 503, onDate(-600), 5, 6],
    ['for longer than the longest wait', 503, inSeconds(99_999_999), 36_000, 36_000],
    ['in an unknown form', 503, () => 'soon', 5, 6],
  ])('honours Retry-After %s', async (_, status, wish, least, most) => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, (response) => void response.writeHead(status, { 'retry-after': wish() }).end());
    await stage.emit([1]);
    await stage.idle();
    const seconds = secondsUntil((await first(hook)).nextAttemptAt);
    expect(seconds).toBeGreaterThanOrEqual(least);
    expect(seconds).toBeLessThanOrEqual(most);
  });

  test.each([301, 302, 307, 308, 304, 400, 404, 429, 503])('is one that is answered with %i', async (status) => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, (response) => {
      response.writeHead(status, { location: stage.receiver.url('/elsewhere') }).end();
    });
    await stage.emit([1]);
    await stage.idle();
    expect(await first(hook)).toMatchObject({ status: 'pending', attempts: [{ status, error: null }] });
    expect(hook.received()).toHaveLength(1);
    expect(stage.receiver.received('/elsewhere')).toEqual([]);
  });

  test('is one whose connection is lost before or during the response', async () => {
    const [before, within] = [await stage.aHook(), await stage.aHook()];
    stage.receiver.answer(before.path, (response) => void response.socket?.destroy());
    stage.receiver.answer(within.path, (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half of', () => response.socket?.destroy());
    });
    await stage.emit([1]);
    await stage.idle();
    const lost = expect.stringMatching(/^The connection to receiver\.example:\d+ was lost/);
    expect((await first(before)).attempts).toMatchObject([{ status: null, error: lost, answer: '' }]);
    expect((await first(within)).attempts).toMatchObject([{ status: 200, error: lost, answer: 'half of' }]);
    expect([(await first(before)).status, (await first(within)).status]).toEqual(['pending', 'pending']);
  });

  test('is one that takes longer than 10 s, also when the response arrives bit by bit', async () => {
    const [hanging, dripping] = [await stage.aHook(), await stage.aHook()];
    stage.receiver.answer(hanging.path, () => {});
    stage.receiver.answer(dripping.path, (response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 300);
      response.on('close', () => clearInterval(drip));
    });
    await stage.emit([1]);
    await stage.idle();
    const late = expect.stringMatching(/took longer than 10 s\.$/);
    const [hung, dripped] = [(await first(hanging)).attempts[0], (await first(dripping)).attempts[0]];
    expect(hung).toMatchObject({ status: null, error: late });
    expect(dripped).toMatchObject({ status: 200, error: late, answer: expect.stringMatching(/^\.{10,}$/) });
    for (const { durationMs } of [hung!, dripped!]) {
      expect(durationMs).toBeGreaterThan(9_900);
      expect(durationMs).toBeLessThan(12_500);
    }
    expect((await first(dripping)).status).toBe('pending');
  });

  test.each([
    ['a name that leads to this machine', 'https://inner.example/hook', /^inner\.example is, or leads to, a private/],
    ['a local IPv6 address', 'https://[::1]/hook', /private/],
    ['a name below .localhost', 'https://app.localhost/hook', /private/],
    ['such a name at another port', 'https://inner.example:8443/hook', /^inner\.example is, or leads to, a private/],
  ])('is one to %s: no request is sent', async (_, url, error) => {
    const before = stage.receiver.received().length;
    const hook = await stage.aHook({ url });
    await stage.emit([1]);
    await stage.idle();
    expect((await first(hook)).attempts).toMatchObject([{ status: null, error: expect.stringMatching(error) }]);
    expect(stage.receiver.received()).toHaveLength(before);
  });
});

describe('a webhook is disabled', () => {
  test('immediately after a 410; waiting deliveries are paused until it is enabled again', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, 410);
    await stage.emit([...Array(40).keys()]);
    await stage.idle();
    const tried = hook.received().length;
    expect(tried).toBeLessThanOrEqual(8);
    expect(await hook.read()).toMatchObject({ isActive: false, failureCount: tried });
    expect(new Set((await hook.log()).map(({ nextAttemptAt }) => nextAttemptAt))).toEqual(new Set([null]));
    stage.receiver.answer(hook.path, 200);
    await stage.advance(100_000);
    await stage.pause();
    expect(hook.received()).toHaveLength(tried);

    await stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: true });
    await arrived(hook, tried + 40);
    await stage.idle();
    expect(new Set(hook.numbers()).size).toBe(40);
    expect(await hook.read()).toMatchObject({ isActive: true, failureCount: 0 });
  });

  test('when five events in a row have used up all their attempts, and not before', async () => {
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, 500);
    for (const n of [1, 2, 3, 4]) {
      await stage.emit([n], { attempts: 7 });
      await stage.idle();
    }
    expect(await hook.read()).toMatchObject({ isActive: true, failureCount: 4 });
    await stage.emit([5], { attempts: 7 });
    await stage.idle();
    expect(await hook.read()).toMatchObject({ isActive: false, failureCount: 5 });
    await stage.emit([6]);
    expect(await hook.log()).toHaveLength(5);
  });

  test('and its owner is notified by email, once for each time', async () => {
    await stage.query('delete from mails');
    const hook = await stage.aHook();
    const mailed = async () => waitingMails(stage.service.app);
    stage.receiver.answer(hook.path, 410);
    await stage.emit([1, 2, 3]);
    await stage.idle();
    const gone = {
      to: 'user1@example.com',
      kind: 'webhook_disabled',
      data: {
        name: hook.path,
        url: stage.receiver.url(hook.path),
        reason: 'The receiver answered 410, which says that it is gone for good.',
      },
    };
    expect(await mailed()).toEqual([gone]);

    stage.receiver.answer(hook.path, 500);
    await stage.query('delete from webhook_deliveries');
    await stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: true });
    for (const n of [1, 2, 3, 4, 5]) {
      expect(await mailed()).toEqual([gone]);
      await stage.emit([n], { attempts: 7 });
      await stage.idle();
    }
    const reason = '5 events in a row could not be delivered in any of their attempts.';
    expect(await mailed()).toEqual([gone, { ...gone, data: { ...gone.data, reason } }]);
  });

  test('without a mail when its owner does it', async () => {
    await stage.query('delete from mails');
    const hook = await stage.aHook();
    stage.receiver.answer(hook.path, 410);
    await stage.ada.call('PATCH', `/webhooks/${hook.id}`, { isActive: false });
    await stage.emit([1]);
    await stage.idle();
    expect(await waitingMails(stage.service.app)).toEqual([]);
  });

  test('not when an event was delivered in between', async () => {
    const hook = await stage.aHook();
    for (const [n, answer] of [500, 500, 500, 500, 200, 500, 500, 500, 500].entries()) {
      stage.receiver.answer(hook.path, answer);
      await stage.emit([n], { attempts: 7 });
      await stage.idle();
    }
    expect(await hook.read()).toMatchObject({ isActive: true, failureCount: 4 });
  });
});
