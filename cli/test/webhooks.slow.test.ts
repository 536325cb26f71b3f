import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { verifyWebhook } from '../../client/src/verify-webhook.ts';
import { webhookEventNames } from '../../src/foundation/events/catalogue.ts';
import { publishDue } from '../../test/support/publishing/publish-due.ts';
import { serve } from '../../test/support/servers/local.ts';
import { type CliStage, cliStage, command } from './stage.ts';

let stage: CliStage;
let mastodon: string;
const children: ChildProcessWithoutNullStreams[] = [];

beforeAll(async () => {
  stage = await cliStage();
  mastodon = await stage.ada.aConnection();
});
afterAll(() => stage?.close());
afterEach(async () => {
  for (const child of children.splice(0)) {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    await ended;
  }
});

/** A listener that is ready, and the lines it has printed. */
async function listening(...args: string[]) {
  const all = [command, 'webhooks', 'listen', ...args, '--json'];
  const child = spawn(process.execPath, all, { env: stage.environment(), cwd: stage.folder });
  children.push(child);
  let shown = '';
  child.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a line, whatever its shape.
  const lines = (): any[] =>
    shown
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).data);
  await expect.poll(() => lines()[0]).toMatchObject({ event: 'ready' });
  return { lines, secret: lines()[0].secret as string };
}

const aPost = async () => {
  await stage.ada.call('POST', '/create-post', { content: 'Now', platforms: [mastodon], publishNow: true });
  await publishDue(stage.service.app);
};

test('webhooks listen prints real events and forwards them as a webhook would get them', async () => {
  const received: { headers: Record<string, string>; body: string }[] = [];
  await using receiver = await serve(async (request, response) => {
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.writeHead(received.length === 1 ? 200 : 500).end();
  });
  const { lines, secret } = await listening('--forward-to', receiver.url, '--events', 'post.published,post.failed');
  await aPost();
  await expect
    .poll(() => lines()[1])
    .toMatchObject({
      event: 'post.published',
      verified: true,
      forwarded: { status: 200 },
    });
  const [{ headers, body }] = received as [(typeof received)[number]];
  expect(await verifyWebhook(body, headers, secret)).toMatchObject({ event: 'post.published' });

  // The receiver now returns 500: the listener keeps running.
  const { code, json } = await stage.run(['trigger', 'post.failed', '--json']);
  expect([code, json.data]).toEqual([0, { event: 'post.failed', eventId: expect.stringMatching(/^test_/) }]);
  await expect
    .poll(() => lines()[2])
    .toMatchObject({ event: 'post.failed', id: json.data.eventId, isTest: true, forwarded: { status: 500 } });
  const [, test] = received;
  expect(test!.headers['x-service-test']).toBe('true');
  expect(await verifyWebhook(test!.body, test!.headers, secret)).toMatchObject({ event: 'post.failed' });
});

test('trigger reaches the listeners of the account on every machine, and knows every event', async () => {
  const listeners = [await listening(), await listening()];
  for (const name of webhookEventNames) expect((await stage.run(['trigger', name])).code).toBe(0);
  for (const { lines } of listeners) {
    await expect.poll(() => lines().flatMap(({ event, isTest }) => (isTest ? [event] : []))).toEqual(webhookEventNames);
  }
});

test('trigger without a listener or a webhook says what to start', async () => {
  const user = await stage.service.aUser();
  const none = await stage.run(['trigger', 'post.published'], { user });
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('crier webhooks listen') });
  expect((await stage.run(['trigger', 'webhook.test', '--json'])).json.error.code).toBe('NO_WEBHOOK');
  expect((await stage.run(['trigger', 'odd'])).code).toBe(2);
  const hook = { name: 'Mine', url: 'https://example.com/hook', events: ['post.published'] };
  await stage.ada.call('POST', '/webhooks', hook);
  const { json } = await stage.run(['trigger', 'webhook.test', '--json']);
  expect(json.data.deliveries).toHaveLength(1);
});

test('webhooks listen prints no control characters that a network has put into an event', async () => {
  const secret = 'a secret';
  const data = { postedId: '\u009b2J\u009d0;title\u009c\u202egnp' };
  const body = JSON.stringify({ event: 'post.published', timestamp: new Date().toISOString(), data });
  const [id, at] = ['e1', String(Math.floor(Date.now() / 1000))];
  const signature = `v1,${createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64')}`;
  const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature };
  await using service = await serve((_, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.write(`event: ready\ndata: ${JSON.stringify({ secret })}\n\n`);
    response.write(`event: post.published\ndata: ${JSON.stringify({ headers, body })}\n\n`);
  });
  const env = { ...stage.environment(), CRIER_URL: service.url };
  const child = spawn(process.execPath, [command, 'webhooks', 'listen'], { env, cwd: stage.folder });
  children.push(child);
  let shown = '';
  child.stdout.on('data', (chunk) => {
    shown += chunk;
  });
  await expect.poll(() => shown).toContain('post.published');
  expect(shown).toContain('{"postedId":"2J0;titlegnp"}');
  expect(shown).not.toMatch(/[\u0080-\u009f\u202a-\u202e]/);
});

test('an event that does not exist is refused', async () => {
  const { code, json } = await stage.run(['webhooks', 'listen', '--events', 'post.odd', '--json']);
  expect([code, json.command, json.error.code]).toEqual([4, 'webhooks listen', 'STREAM_EVENTS_UNKNOWN']);
  expect((await stage.run(['webhooks', 'listen', '--forward-to', 'nowhere'])).code).toBe(2);
});
