import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { publishDue } from '../../test/support/publishing.ts';
import { type TestService, type TestUser, testService } from '../../test/support/service.ts';
import { serve } from '../egress/test-servers.ts';
import { type Deliverer, startDeliverer } from './deliver.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

let service: TestService;
let deliverer: Deliverer;
let receiver: Awaited<ReturnType<typeof serve>>;
let ada: TestUser;
const received: Received[] = [];
let answer = 200;

beforeAll(async () => {
  receiver = await serve(async (request, response) => {
    received.push({ headers: request.headers, body: await new Response(request).text() });
    response.writeHead(answer).end('ok');
  });
  service = await testService({ environment: { EGRESS_ALLOW: receiver.place } });
  deliverer = startDeliverer(service.app);
  ada = await service.aUser();
});

afterAll(async () => {
  await deliverer.stop(1000);
  await service.close();
  await receiver[Symbol.asyncDispose]();
});

test('6: what happens to a post is told in order, signed in both ways, with every key of the envelope', async () => {
  const { body } = await ada.call('POST', '/webhooks', {
    name: 'Mine',
    url: `${receiver.url}/hook`,
    events: ['post.scheduled', 'post.published'],
  });
  const { secret } = body.webhook;
  const platforms = [await ada.aConnection()];
  const scheduledTime = new Date(service.app.clock.now().getTime() + 1000).toISOString();
  const post = await ada.call('POST', '/create-post', { content: 'Hear, hear', platforms, scheduledTime });
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 5000 });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await publishDue(service.app);
  await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: 5000 });

  const [scheduled, published] = received.map(({ body: text }) => JSON.parse(text));
  const { postGroupId } = post.body;
  expect(scheduled).toEqual({
    version: '1',
    event: 'post.scheduled',
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    data: { postGroupId, scheduledTime, platforms },
  });
  expect(published.data).toEqual({
    postId: expect.stringMatching(/^[0-9a-f]{24}$/),
    postGroupId,
    platform: 'mastodon',
    platformId: platforms[0]?.replace('mastodon-', ''),
    postedId: expect.stringMatching(/\d/),
    permalink: expect.stringMatching(/^http/),
    publishedAt: expect.stringMatching(/Z$/),
  });
  for (const { headers, body: raw } of received) {
    const hmac = (text: string) => createHmac('sha256', secret).update(text);
    expect(headers['x-service-signature']).toBe(hmac(raw).digest('hex'));
    expect(headers['x-service-event']).toBe(JSON.parse(raw).event);
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`;
    expect(headers['webhook-signature']).toBe(`v1,${hmac(signed).digest('base64')}`);
  }
});

test('a delivery that is refused is tried again with the same bytes and the same id', async () => {
  received.length = 0;
  answer = 500;
  const { body } = await ada.call('GET', '/webhooks');
  const id = body.webhooks[0]._id;
  const test = await ada.call('POST', `/webhooks/${id}/test`);
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 5000 });
  answer = 200;
  await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: 10_000 });
  expect(received[1]?.body).toBe(received[0]?.body);
  expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([test.body.deliveryId, test.body.deliveryId]);
  await vi.waitFor(
    async () => {
      const log = await ada.call('GET', `/webhooks/${id}/deliveries`);
      expect(log.body.deliveries[0]).toMatchObject({
        event: 'webhook.test',
        status: 'delivered',
        attempts: [{ status: 500, answer: 'ok' }, { status: 200 }],
      });
    },
    { timeout: 3000 },
  );
});
