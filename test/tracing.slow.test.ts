import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from './support/eventually.ts';
import { type CrierProcess, type DataFolder, dataFolder, runProgram, startCrier } from './support/processes/crier.ts';
import { sandboxControl } from './support/servers/sandbox-control.ts';

/** A collector that accepts OTLP as JSON, and a webhook receiver. */
const spans: OtlpSpan[] = [];
let sent = '';
let deliveries = 0;
const collector = createServer(async (request, response) => {
  const body = await text(request);
  if (request.url === '/v1/traces') {
    sent += body;
    for (const { scopeSpans } of JSON.parse(body).resourceSpans) {
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
  } else deliveries += 1;
  response.setHeader('content-type', 'application/json').end('{}');
});

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  links?: { traceId: string }[];
  status?: { code?: number };
}

let folder: DataFolder;
let crier: CrierProcess;
let key: Record<string, string>;
let telegram: string;
let platforms: string[];
beforeAll(async () => {
  await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  folder = await dataFolder();
  crier = await startCrier({
    folder,
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: '200',
      EGRESS_ALLOW: `127.0.0.1:${port}`,
      LOG_LEVEL: 'warn',
    },
  });
  const { userId, apiKey } = await admin('create-user', '--email', 'ann@example.com', '--password', 'correct horse');
  key = { 'x-service-key': apiKey, 'content-type': 'application/json' };
  const { connections } = await admin('connect-sandbox', '--user', userId, '--networks', 'mastodon,telegram');
  platforms = connections.map(({ platformId }: { platformId: string }) => platformId);
  telegram = platforms.find((id) => id.startsWith('telegram'))!;
  await call('POST', '/webhooks', { name: 'Ours', url: `http://127.0.0.1:${port}/hook`, events: ['post.published'] });
});
afterAll(async () => {
  await crier.stop();
  await folder.remove();
  collector.close();
});

async function admin(command: string, ...args: string[]) {
  const ended = await runProgram(['src/admin.ts', command, ...args, '--json'], crier.environment);
  expect(ended.code, ended.stderr).toBe(0);
  return JSON.parse(ended.stdout.trim().split('\n').at(-1)!);
}

async function call(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ postGroupId: string }> {
  const response = await fetch(crier.ready.baseUrl + path, {
    method,
    headers: { ...key, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok, await response.clone().text()).toBe(true);
  return (await response.json()) as { postGroupId: string };
}

const namesOf = (traceId: string) =>
  spans.filter((span) => span.traceId === traceId).map((span) => [span.name, nameOf(span.parentSpanId)]);
const nameOf = (spanId: string | undefined) => spans.find((span) => span.spanId === spanId)?.name ?? null;
const traceOf = (postGroupId: string) => `00000000${postGroupId}`;

test('a post is one trace, from its creation over the requests to the network to the webhook', async () => {
  const caller = 'b'.repeat(32);
  const made = await call(
    'POST',
    '/create-post',
    { content: 'Traced', platforms, publishNow: true },
    {
      traceparent: `00-${caller}-${'c'.repeat(16)}-01`,
    },
  );
  const root = 'POST /api/v1/create-post';
  await eventually(() => {
    const found = namesOf(traceOf(made.postGroupId));
    expect(found).toContainEqual([root, null]);
    expect(found).toContainEqual(['publish mastodon', root]);
    expect(found).toContainEqual(['publish telegram', root]);
    expect(found).toContainEqual(['POST mastodon.social', 'publish mastodon']);
    expect(found).toContainEqual(['POST api.telegram.org', 'publish telegram']);
    expect(found).toContainEqual(['webhook post.published', root]);
  });
  expect(deliveries).toBeGreaterThan(0);
  const [first] = spans.filter(({ traceId, name }) => traceId === traceOf(made.postGroupId) && name === root);
  expect(first!.links).toMatchObject([{ traceId: caller }]);
});

test('a refused post shows where it failed', async () => {
  await sandboxControl(crier.ready.sandboxUrl!)('POST', '/faults', {
    network: 'telegram',
    operation: 'publish',
    kind: 'status',
    status: 400,
  });
  const made = await call('POST', '/create-post', { content: 'Refused', platforms: [telegram], publishNow: true });
  await eventually(() => {
    const failed = spans.filter(({ traceId, status }) => traceId === traceOf(made.postGroupId) && status?.code === 2);
    expect(failed.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['publish telegram', 'POST api.telegram.org']),
    );
  });
});

test('another request continues the trace of its caller', async () => {
  const caller = 'd'.repeat(32);
  await call('GET', '/account-context', undefined, { traceparent: `00-${caller}-${'e'.repeat(16)}-01` });
  await eventually(() => expect(namesOf(caller)).toEqual([['GET /api/v1/account-context', null]]));
});

test('spans hold neither texts nor tokens: a bot token stands in the path of its requests', async () => {
  expect(sent).not.toContain(key['x-service-key']);
  expect(sent).not.toContain('Traced');
  expect(sent).not.toMatch(/\/bot\d+/);
});
