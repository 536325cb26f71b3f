import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../../test/support/eventually.ts';
import { serve } from '../../../../test/support/servers/local.ts';
import { failureOf } from '../../../../test/support/stages/platform.ts';
import { createEgress } from '../../../foundation/egress/egress.ts';
import { type PlatformAccess, platformClient, secret, secretsOf } from './client.ts';

const unstopped = new AbortController().signal;
const address = 'https://api.platform.example/v1/posts?a=1';

describe('a request', () => {
  test('goes to the routed address with its path, query, headers and body', async () => {
    await using server = await serve(async (request, response) => {
      const body = await new Response(request).text();
      response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
    });
    const init = { method: 'POST', body: 'ä', headers: { 'x-own': 'yes' } };
    const seen = await (await platformClient(server.access(), 'mastodon', unstopped).fetch(address, init)).json();
    expect(seen).toMatchObject({ method: 'POST', url: '/v1/posts?a=1', headers: { 'x-own': 'yes' }, body: 'ä' });
  });

  test('takes its address as a string, URL or Request', async () => {
    await using server = await serve((request, response) => void response.end(`${request.method} ${request.url}`));
    const { fetch } = platformClient(server.access(), 'mastodon', unstopped);
    const inputs = [address, new URL(address), new Request(address, { method: 'GET' })];
    const seen = await Promise.all(inputs.map(async (input) => (await fetch(input)).text()));
    expect(seen).toEqual(Array(3).fill('GET /v1/posts?a=1'));
  });

  test.for([
    ['text', 'text'],
    ['a form', new URLSearchParams({ a: 'b' })],
    ['a file in a form', fileInForm()],
  ] as const)('sends %s with its length, since some servers refuse chunked bodies', async ([, body]) => {
    await using server = await serve((request, response) => void response.end(JSON.stringify(request.headers)));
    const answer = await platformClient(server.access(), 'mastodon', unstopped).fetch(address, {
      method: 'POST',
      body,
    });
    const headers = await answer.json();
    expect(headers).toMatchObject({ 'content-length': expect.stringMatching(/^\d+$/) });
    expect(headers).not.toHaveProperty('transfer-encoding');
  });
});

describe('a response', () => {
  test('is returned as it is, also with a status of refusal', async () => {
    await using server = await serve((_, response) => {
      response.writeHead(422, 'Unprocessable', { 'x-own': 'yes' }).end('{"error":"no"}');
    });
    const answer = await platformClient(server.access(), 'mastodon', unstopped).fetch(address);
    expect(answer).toMatchObject({ ok: false, status: 422, statusText: 'Unprocessable' });
    expect(answer.headers.get('x-own')).toBe('yes');
    expect(await answer.json()).toEqual({ error: 'no' });
  });

  test('may have no body', async () => {
    await using server = await serve((_, response) => void response.writeHead(204).end());
    const answer = await platformClient(server.access(), 'mastodon', unstopped).fetch(address);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  });

  test.for([
    ['with its length', (body: string) => ({ headers: { 'content-length': body.length }, body })],
    ['in chunks', (body: string) => ({ headers: {}, body })],
    ['compressed', (body: string) => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(body) })],
  ] as const)('that is sent %s is read up to a limit', async ([, sent]) => {
    await using server = await serve((request, response) => {
      const { headers, body } = sent(`"${'x'.repeat(Number(request.url?.slice(1)) - 2)}"`);
      response.writeHead(200, headers);
      response.write(body);
      response.end();
    });
    const { fetch } = platformClient(server.access(), 'mastodon', unstopped);
    const read = async (bytes: number, how: 'json' | 'text' | 'blob' | 'bytes') =>
      (await fetch(`https://api.platform.example/${bytes}`, { maxAnswerBytes: 200_000 }))[how]();
    for (const how of ['json', 'text', 'blob', 'bytes'] as const) {
      await read(200_000, how);
      const failure = await failureOf(read(200_001, how));
      const reason = 'The response is larger than 200000 bytes.';
      expect(failure).toMatchObject({ kind: 'unavailable', status: 200, mayHaveHappened: true, reason });
      expect(failure.message).toContain('api.platform.example');
    }
    expect(
      await failureOf(fetch('https://api.platform.example/3000000').then((answer) => answer.text())),
    ).toMatchObject({ reason: 'The response is larger than 2097152 bytes.' });
  });

  test.each([
    ['levels', '['.repeat(40)],
    ['items', `[${'1,'.repeat(6000)}1]`],
    ['fields', `{${'"a":1,'.repeat(30_000)}"a":1}`],
  ])('with too many %s is not parsed', async (_, body) => {
    await using server = await serve((_request, response) => void response.end(body));
    const { fetch } = platformClient(server.access(), 'mastodon', unstopped);
    for (const how of ['json', 'text'] as const) {
      const failure = await failureOf(fetch(address).then((answer) => answer[how]()));
      expect(failure).toMatchObject({ kind: 'unavailable', reason: expect.stringContaining('too many') });
    }
  });

  test('that breaks off in the middle leaves the outcome in doubt', async () => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"id":', () => response.destroy());
    });
    const failure = await failureOf(
      platformClient(server.access(), 'mastodon', unstopped)
        .fetch(address)
        .then((answer) => answer.json()),
    );
    expect(failure).toMatchObject({ kind: 'network', mayHaveHappened: true });
    expect(failure.message).toContain('api.platform.example');
  });

  test('that stalls in the middle is a timeout', async () => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"id":');
    });
    const failure = await failureOf(
      platformClient(server.access(150), 'mastodon', unstopped)
        .fetch(address)
        .then((answer) => answer.text()),
    );
    expect(failure).toMatchObject({ kind: 'timeout', mayHaveHappened: true });
  });
});

describe('a failed connection', () => {
  test('without a response in time is a timeout, and may have happened', async () => {
    await using server = await serve(() => {});
    const failure = await failureOf(platformClient(server.access(100), 'mastodon', unstopped).fetch(address));
    expect(failure).toMatchObject({ kind: 'timeout', mayHaveHappened: true });
    expect(failure.message).toBe('api.platform.example did not respond in time.');
  });

  test('that was refused provably sent nothing', async () => {
    const port = await aFreePort();
    const failure = await failureOf(
      platformClient(leadingTo(`http://127.0.0.1:${port}`), 'mastodon', unstopped).fetch(address),
    );
    expect(failure).toMatchObject({ kind: 'network', mayHaveHappened: false });
    expect(failure.reason).toContain('ECONNREFUSED');
  });

  test('to a host name that does not resolve provably sent nothing', async () => {
    const failure = await failureOf(
      platformClient(leadingTo('http://nowhere.invalid'), 'mastodon', unstopped).fetch(address),
    );
    expect(failure).toMatchObject({ kind: 'network', mayHaveHappened: false });
  });

  test('that was reset after the request was sent may have happened', async () => {
    await using server = await serve((request) => void request.socket.resetAndDestroy());
    const failure = await failureOf(
      platformClient(server.access(), 'mastodon', unstopped).fetch(address, { method: 'POST', body: 'x' }),
    );
    expect(failure).toMatchObject({ kind: 'network', mayHaveHappened: true });
  });

  test('that was closed without a response may have happened', async () => {
    await using server = await serve((request) => void request.socket.destroy());
    const failure = await failureOf(
      platformClient(server.access(), 'mastodon', unstopped).fetch(address, { method: 'POST', body: 'x' }),
    );
    expect(failure).toMatchObject({ kind: 'network', mayHaveHappened: true });
  });
});

describe('an abort signal', () => {
  test('ends a request in flight, which may have happened', async () => {
    let arrived = false;
    await using server = await serve(() => {
      arrived = true;
    });
    const stop = new AbortController();
    const asking = failureOf(
      platformClient(server.access(), 'mastodon', stop.signal).fetch(address, { method: 'POST', body: 'x' }),
    );
    await eventually(() => expect(arrived).toBe(true));
    stop.abort();
    expect(await asking).toMatchObject({ kind: 'network', mayHaveHappened: true });
  });

  test('can be given for one call alone', async () => {
    await using server = await serve(() => {});
    const init = { signal: AbortSignal.timeout(50) };
    expect((await failureOf(platformClient(server.access(), 'mastodon', unstopped).fetch(address, init))).kind).toBe(
      'network',
    );
  });

  test('that fired before the call provably sends nothing', async () => {
    let requests = 0;
    await using server = await serve((_, response) => {
      requests += 1;
      response.end();
    });
    const failure = await failureOf(platformClient(server.access(), 'mastodon', AbortSignal.abort()).fetch(address));
    expect(failure).toMatchObject({ kind: 'network', mayHaveHappened: false });
    expect(requests).toBe(0);
  });
});

describe('secrets', () => {
  const Credentials = z.object({
    host: z.string(),
    token: secret(),
    spare: secret().nullish(),
    last: secret().default('none-so-far'),
  });

  test('are the fields marked with secret()', () => {
    expect(secretsOf(Credentials, Credentials.parse({ host: 'a.example', token: 'tok-123456' }))).toContain(
      'tok-123456',
    );
  });

  test('are found in optional and nullable fields too', () => {
    const credentials = { host: 'a.example', token: 'tok-123456', spare: 'spare-123456', last: 'last-123456' };
    expect(secretsOf(Credentials, credentials)).toEqual(['tok-123456', 'spare-123456', 'last-123456']);
    expect(secretsOf(Credentials, { ...credentials, spare: null })).toEqual(['tok-123456', 'last-123456']);
  });

  test('are never empty', () => {
    expect(Credentials.safeParse({ host: 'a.example', token: '' }).success).toBe(false);
  });

  test('in an address are redacted when the connection fails', async () => {
    const vendor = leadingTo('http://tok-123456.invalid');
    const failure = await failureOf(platformClient(vendor, 'mastodon', unstopped, ['tok-123456']).fetch(address));
    expect(failure.reason).toContain('[secret].invalid');
    expect(inspect(failure, { depth: null })).not.toContain('tok-123456');
  });
});

function leadingTo(origin: string): PlatformAccess {
  return {
    fetch: globalThis.fetch,
    route: (url) => new URL(url.pathname, origin),
    timeoutMs: 5000,
    now: () => new Date(),
    applications: {},
  };
}

async function aFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function fileInForm(): FormData {
  const form = new FormData();
  form.set('file', new Blob(['bytes']), 'a.txt');
  return form;
}

test('an address that the egress guard refuses provably got no request', async () => {
  const egress = createEgress({ allow: [] });
  const vendor = {
    fetch: egress.fetch,
    route: (url: URL) => url,
    timeoutMs: 5_000,
    now: () => new Date(),
    applications: {},
  };
  const failure = await platformClient(vendor, 'mastodon', new AbortController().signal)
    .fetch('https://127.0.0.1/api')
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'network', mayHaveHappened: false });
  await egress.close();
});
