import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EventClient, openEvents } from '../../test/support/event-stream.ts';
import { publishDue } from '../../test/support/publishing.ts';
import { type TestService, type TestUser, testService } from '../../test/support/service.ts';
import { webhookEvents } from '../events/catalogue.ts';
import { openStreams } from './streams.ts';

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

const listen = (query = ''): Promise<EventClient> =>
  openEvents(`${base}/api/v1/events?format=webhook${query}`, { 'x-service-key': ada.apiKey });

const publish = async () => {
  await ada.call('POST', '/create-post', { content: 'Now', platforms: [connection], publishNow: true });
  await publishDue(service.app);
};

test('contract 2, section 6: the listener gets the request that a webhook would get, signed with its own secret', async () => {
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

test('idle streams get heartbeats, and end when their credentials are refused', async () => {
  const limits = { perUser: 20, heartbeatMs: 20, recheckMs: 50 };
  const streams = openStreams(service.app, limits);
  const credentials = { isGood: true };
  const body = await streams.open({
    userId: ada.id,
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
