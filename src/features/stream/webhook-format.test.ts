import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { testApp } from '../../../test/support/service/app.ts';
import { type EventClient, openEvents } from '../../../test/support/service/event-stream.ts';
import { type TestService, type TestUser, testService } from '../../../test/support/service/service.ts';
import { webhookEventNames, webhookEvents } from '../../foundation/events/catalogue.ts';
import { buildServer } from '../../surfaces/server.ts';
import { systemActor } from '../audit/actors.ts';
import { createApiKey } from '../auth/api-keys/api-keys.ts';
import { openStreams, streamLimits } from './streams.ts';

let service: TestService;
let base: string;
let ada: TestUser;
let connection: string;

beforeAll(async () => {
  service = await testService();
  base = await service.server.listen({ port: 0, host: '127.0.0.1' });
  ada = await service.aUser();
  connection = await ada.aConnection();
});
afterAll(() => service.close());

const listen = (query = '', { at = base, by = ada } = {}): Promise<EventClient> =>
  openEvents(`${at}/api/v1/events?format=webhook${query}`, { 'x-service-key': by.apiKey });

const publish = async () => {
  await ada.call('POST', '/create-post', { content: 'Now', platforms: [connection], publishNow: true });
  await publishDue(service.app);
};

test('[deliveries.request] the listener gets the request that a webhook would get, signed with its own secret', async () => {
  const [client, other] = [await listen(), await listen()];
  const [{ secret }] = client.of('ready');
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(other.of('ready')).not.toEqual([{ secret }]);
  await publish();
  const [{ headers, body }] = await client.until(webhookEvents.postPublished.name);
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-service-event': 'post.published' });
  const verified = new Webhook(secret, { format: 'raw' }).verify(body, headers);
  expect(webhookEvents.postPublished.envelope.parse(verified)).toEqual(JSON.parse(body));
  const { rows } = await service.database.pool.query('select body from events where id = $1', [headers['webhook-id']]);
  expect(rows).toEqual([{ body }]);
  expect(client.of('target')).toEqual([]);
  await Promise.all([client.close(), other.close()]);
});

test('it gets only the events it asks for', async () => {
  const client = await listen('&events=post.scheduled,post.failed');
  await publish();
  const scheduledTime = new Date(service.app.clock.now().getTime() + 3_600_000).toISOString();
  await ada.call('POST', '/create-post', { content: 'Later', platforms: [connection], scheduledTime });
  await client.until(webhookEvents.postScheduled.name);
  expect(client.of(webhookEvents.postPublished.name)).toEqual([]);
  await client.close();
  const refused = await listen('&events=post');
  expect([refused.response.status, await refused.response.json()]).toMatchObject([
    400,
    { hint: expect.stringContaining('post.scheduled, post.published') },
  ]);
});

describe('a test event', () => {
  const trigger = (event: string, user = ada) => user.call('POST', '/webhooks/trigger', { event });

  test('reaches the listeners of the user in every process, marked as a test, and no webhook', async () => {
    const { app, close } = await testApp({ database: service.database });
    const server = await buildServer(app);
    const elsewhere = await server.listen({ port: 0, host: '127.0.0.1' });
    const eve = await service.aUser();
    const listeners = [await listen(), await listen('', { at: elsewhere })];
    const [filtered, hers] = [await listen('&events=post.failed'), await listen('', { by: eve })];
    const hook = { name: 'Mine', url: 'https://example.com/hook', events: webhookEventNames };
    const { _id: webhookId } = (await ada.call('POST', '/webhooks', hook)).body.webhook;

    const { status, body: answer } = await trigger(webhookEvents.postPublished.name);
    expect([status, answer]).toEqual([200, { success: true, eventId: expect.stringMatching(/^test_[0-9a-f]{24}$/) }]);
    for (const client of listeners) {
      const [{ secret }] = client.of('ready');
      const [{ headers, body }] = await client.until(webhookEvents.postPublished.name);
      expect(headers).toMatchObject({ 'webhook-id': answer.eventId, 'x-service-test': 'true' });
      const verified = new Webhook(secret, { format: 'raw' }).verify(body, headers);
      expect(webhookEvents.postPublished.envelope.parse(verified)).toEqual(JSON.parse(body));
    }

    await trigger(webhookEvents.postFailed.name);
    await filtered.until(webhookEvents.postFailed.name);
    expect(filtered.of(webhookEvents.postPublished.name)).toEqual([]);
    await trigger(webhookEvents.postFailed.name, eve);
    await hers.until(webhookEvents.postFailed.name);
    expect(hers.of(webhookEvents.postPublished.name)).toEqual([]);
    expect((await ada.call('GET', `/webhooks/${webhookId}/deliveries`)).body.deliveries).toEqual([]);
    await Promise.all([...listeners, filtered, hers].map((client) => client.close()));
    await server.close();
    await close();
  });

  test('real events are not marked', async () => {
    const client = await listen();
    await publish();
    const [{ headers }] = await client.until(webhookEvents.postPublished.name);
    expect(headers).not.toHaveProperty('x-service-test');
    await client.close();
  });

  test('is refused if nobody listens, if there is no such event, and to a key without the scope', async () => {
    const eve = await service.aUser();
    expect(await trigger(webhookEvents.postFailed.name, eve)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('No listener is open') },
    });
    expect(await trigger('post.odd')).toMatchObject({ status: 400, body: { error: 'Unknown event name' } });
    const { rawKey } = await createApiKey(service.app, ada.id, { scopes: ['read', 'write'] }, systemActor);
    const refused = await ada.call(
      'POST',
      '/webhooks/trigger',
      { event: webhookEvents.postFailed.name },
      { 'x-service-key': rawKey },
    );
    expect(refused.status).toBe(403);
  });
});

test('the streams of an owner and all managed users are limited together', async () => {
  const streams = openStreams(service.app, { ...streamLimits, perOwner: 3 });
  const [owner, other] = [await service.aUser(), await service.aUser()];
  const open = (userId: string, ownerId = owner.id) =>
    streams
      .open({ userId, ownerId, lastEventId: undefined, asWebhook: false, names: null, isAllowed: async () => true })
      .then(
        () => 'open',
        (error) => error.code,
      );
  const statuses = [await open(owner.id), await open(ada.id), await open(ada.id), await open(owner.id)];
  expect(statuses).toEqual(['open', 'open', 'open', 'TOO_MANY_STREAMS']);
  expect(await open(other.id, other.id)).toBe('open');
  await streams.close();
});

test('idle streams get heartbeats, and end when their credentials are refused', async () => {
  const limits = { perUser: 20, perOwner: 200, heartbeatMs: 20, recheckMs: 50 };
  const streams = openStreams(service.app, limits);
  const credentials = { isGood: true };
  const body = await streams.open({
    userId: ada.id,
    ownerId: ada.id,
    lastEventId: undefined,
    asWebhook: false,
    names: null,
    isAllowed: async () => credentials.isGood,
  });
  let text = '';
  body.on('data', (chunk) => (text += chunk));
  while (text.split(':\n\n').length < 4) await sleep(10);
  credentials.isGood = false;
  await new Promise((resolve) => body.once('end', resolve));
  await streams.close();
});
