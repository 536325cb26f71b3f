import { setTimeout as turn } from 'node:timers/promises';
import { Agent, buildConnector } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { certificateFor } from '../../../test/support/servers/certificate.ts';
import { failureOf, serveCanary, serveCounted } from '../../../test/support/servers/egress.ts';
import { exceptionsFrom } from './check-url.ts';
import { checkedConnect } from './connect.ts';
import { createEgress, type Egress, egressOver } from './egress.ts';

const opened: Egress[] = [];
function egress(options: Parameters<typeof createEgress>[0]): Egress {
  const made = createEgress(options);
  opened.push(made);
  return made;
}
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(opened.splice(0).map((made) => made.close()));
});

/** Responds with the request it received. */
const echo = () =>
  serveCounted(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('latin1');
    response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
  });

describe('https', () => {
  const tls = certificateFor('good.example');

  test('reaches a public address by its name at port 443, and at another port where the caller allows any', async () => {
    await using server = await serveCounted(
      (request, response) => response.end(`Hello at ${request.headers.host}`),
      tls,
    );
    const asked: string[] = [];
    const open = buildConnector({ ca: tls.cert, allowH2: false });
    // Loopback that claims a public address: nothing leaves this machine.
    const pretend: buildConnector.connector = (options, done) => {
      asked.push(`${options.protocol}//${options.hostname}:${options.port || 443}`);
      const here = { ...options, hostname: '127.0.0.1', port: String(server.port), servername: options.hostname };
      open(here, (...[error, socket]) => {
        if (error) return done(error, null);
        done(null, Object.defineProperty(socket, 'remoteAddress', { value: '93.184.216.34' }));
      });
    };
    const none = exceptionsFrom([]);
    const made = egressOver(new Agent({ connect: checkedConnect(none, pretend, pretend), allowH2: false }), none);
    opened.push(made);
    expect(await (await made.request('https://good.example/')).text()).toBe('Hello at good.example');
    expect(asked).toEqual(['https://good.example:443']);
    const elsewhere = 'https://good.example:8443/';
    expect(await failureOf(made.request(elsewhere))).toMatchObject({ code: 'port' });
    expect((await made.request(elsewhere, { anyPort: true })).status).toBe(200);
    expect(asked).toEqual(['https://good.example:443', 'https://good.example:8443']);
  });

  test('works for an exception whose certificate is trusted', async () => {
    await using server = await serveCounted((_request, response) => response.end('secret'), tls);
    const place = `good.example:${server.port}`;
    const made = egress({ allow: [place], ca: tls.cert, lookup: async () => ['127.0.0.1'] });
    expect(await (await made.request(`https://${place}/`)).text()).toBe('secret');
  });

  test.each([
    ['of nobody we trust', 'good.example', undefined, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['for another name', 'other.example', tls.cert, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('sends nothing to a certificate %s, whatever the environment says', async (_name, host, ca, reason) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const seen = vi.fn();
    await using server = await serveCounted((_request, response) => response.end(seen()), tls);
    const place = `${host}:${server.port}`;
    const made = egress({ allow: [place], ca, lookup: async () => ['127.0.0.1'] });
    expect(await failureOf(made.request(`https://${place}/`))).toMatchObject({ code: 'failed', sent: false, reason });
    expect(seen).not.toHaveBeenCalled();
  });
});

describe('a request', () => {
  test('arrives as it was given, without asking for compression', async () => {
    await using server = await echo();
    const made = egress({ allow: [server.place] });
    const headers = { 'x-signature': 'abc', host: 'evil.example', 'accept-encoding': 'gzip', connection: 'upgrade' };
    const response = await made.request(`${server.url}/a%20b?c=d#e`, { method: 'post', headers, body: '{"a":"ü"}' });
    const arrived = (await response.json()) as { headers: object };
    expect(arrived).toMatchObject({
      method: 'POST',
      url: '/a%20b?c=d',
      body: Buffer.from('{"a":"ü"}').toString('latin1'),
    });
    expect(arrived.headers).toEqual({
      accept: '*/*',
      'accept-encoding': 'identity',
      connection: 'keep-alive',
      'content-length': '10',
      'content-type': 'text/plain;charset=UTF-8',
      host: server.place,
      'user-agent': 'Crier',
      'x-signature': 'abc',
    });
  });

  test.each<[string, () => NonNullable<RequestInit['body']>, object]>([
    ['bytes', () => new Uint8Array([0, 255, 10]).subarray(1), { 'content-length': '2' }],
    ['a buffer', () => new Uint8Array([255, 10]).buffer, { 'content-length': '2' }],
    [
      'a file',
      () => new Blob([Buffer.of(255, 10)], { type: 'image/png' }),
      { 'content-length': '2', 'content-type': 'image/png' },
    ],
    ['a stream', () => ReadableStream.from([Buffer.of(255), Buffer.of(10)]), { 'transfer-encoding': 'chunked' }],
  ])('can carry %s', async (_name, body, headers) => {
    await using server = await echo();
    const response = await egress({ allow: [server.place] }).request(server.url, { method: 'PUT', body: body() });
    expect(await response.json()).toMatchObject({ body: '\xff\n', headers });
  });

  test('can carry a form with files, and announces its length', async () => {
    await using server = await echo();
    const form = new FormData();
    form.append('name', 'value');
    form.append('file', new Blob(['bytes'], { type: 'image/png' }), 'a.png');
    const response = await egress({ allow: [server.place] }).request(server.url, { method: 'POST', body: form });
    const arrived = (await response.json()) as { headers: Record<string, string>; body: string };
    expect(arrived.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(Number(arrived.headers['content-length'])).toBe(arrived.body.length);
    expect(arrived.body).toContain('filename="a.png"\r\nContent-Type: image/png\r\n\r\nbytes\r\n');
  });

  test('can carry the fields of a form', async () => {
    await using server = await echo();
    const body = new URLSearchParams({ a: 'b c' });
    const response = await egress({ allow: [server.place] }).request(server.url, { method: 'POST', body });
    expect(await response.json()).toMatchObject({
      body: 'a=b+c',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    });
  });

  test('with a line break in its address adds no header', async () => {
    await using server = await echo();
    const made = egress({ allow: [server.place] });
    const response = await made.request(`${server.url}/a\r\nX-Injected: yes\r\n\r\nGET /b`);
    const arrived = (await response.json()) as { url: string; headers: object };
    expect(arrived.url).toBe('/aX-Injected:%20yesGET%20/b');
    expect(arrived.headers).not.toHaveProperty('x-injected');
  });

  test('with a line break in a header or an invalid method throws a TypeError', async () => {
    const made = egress({ allow: ['127.0.0.1:1'] });
    const headers = { 'x-a': 'b\r\nx-injected: yes' };
    await expect(made.request('http://127.0.0.1:1/', { headers })).rejects.toThrow(TypeError);
    await expect(made.request('http://127.0.0.1:1/', { method: 'CONNECT' })).rejects.toThrow(TypeError);
  });

  test('goes straight to its host and ignores the proxies of the environment', async () => {
    await using server = await echo();
    await using proxy = await serveCanary();
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']) {
      vi.stubEnv(name, proxy.url);
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    vi.stubEnv('NO_PROXY', '');
    expect((await egress({ allow: [server.place] }).request(server.url)).status).toBe(200);
    expect(proxy.connections()).toBe(0);
  });

  test('is one of a hundred at the same time', async () => {
    await using server = await serveCounted((request, response) => setTimeout(() => response.end(request.url), 20));
    const made = egress({ allow: [server.place] });
    const urls = Array.from({ length: 100 }, (_, number) => `/${number}`);
    const answers = await Promise.all(urls.map(async (url) => (await made.request(server.url + url)).text()));
    expect(answers).toEqual(urls);
    expect(server.connections()).toBe(100);
  });
});

describe('a response', () => {
  test('has status, headers and URL, and its connection is reused', async () => {
    await using server = await serveCounted((_request, response) => {
      response.writeHead(404, 'Not Here', { 'set-cookie': ['a=1', 'b=2'], 'x-a': 'b' }).end('gone');
    });
    const made = egress({ allow: [server.place] });
    const response = await made.request(`${server.url}/a`);
    expect(response).toMatchObject({ status: 404, statusText: 'Not Here', ok: false, redirected: false });
    expect([response.url, response.headers.get('x-a')]).toEqual([`${server.url}/a`, 'b']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe('gone');
    await turn();
    await (await made.request(server.url)).text();
    expect(server.connections()).toBe(1);
  });

  test.each([
    ['to HEAD', { method: 'HEAD' }, 200],
    ['204', {}, 204],
    ['304', {}, 304],
  ])('%s has no body, however long it says it is', async (_name, options, status) => {
    await using server = await serveCounted((_request, response) => {
      response.writeHead(status, status === 200 ? { 'content-length': '99999999999' } : {}).end();
    });
    const response = await egress({ allow: [server.place] }).request(server.url, options);
    expect([response.status, response.body, await response.text()]).toEqual([status, null, '']);
  });

  test.each([204, 304])('%i leaves its connection for the next request', async (status) => {
    await using server = await serveCounted((_request, response) => response.writeHead(status).end());
    const made = egress({ allow: [server.place] });
    for (const _ of [1, 2, 3]) {
      await made.request(server.url);
      await turn();
    }
    expect(server.connections()).toBe(1);
  });

  test.each([
    ['205 Reset Content', 205],
    ['302 Found\r\nlocation: /end', 200],
    ['200 OK\r\ncontent-length: 99999999999', 'failed'],
    ['999 Nonsense', 'failed'],
  ])('that breaks right after its headers harms nobody: %s', async (head, outcome) => {
    await using server = await serveCounted((request, response) => {
      if (request.url === '/end') response.end('end');
      else request.socket.write(`HTTP/1.1 ${head}\r\ntransfer-encoding: chunked\r\n\r\nthis is no chunk`);
    });
    const answer = egress({ allow: [server.place] }).request(server.url);
    const seen = await answer.then(
      ({ status }) => status,
      ({ code }) => code,
    );
    expect(seen).toBe(outcome);
    await turn(20);
  });

  test('with oversized headers is a failure', async () => {
    await using server = await serveCounted((request) => {
      request.socket.write(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(1_000_000)}`);
    });
    const failure = await failureOf(egress({ allow: [server.place] }).request(server.url));
    expect(failure).toMatchObject({ code: 'failed', sent: true });
  });

  test('with an invalid status is a failure', async () => {
    await using server = await serveCounted((_request, response) => response.writeHead(999).end());
    const failure = await failureOf(egress({ allow: [server.place] }).request(server.url));
    expect(failure).toMatchObject({ code: 'failed', sent: true });
  });
});

describe('whether anything was sent', () => {
  test('no: the address is refused', async () => {
    const failure = await failureOf(egress({ allow: [] }).request('https://127.0.0.1/'));
    expect(failure).toMatchObject({ code: 'blocked_host', sent: false });
  });

  test('no: the connection is refused', async () => {
    const closed = await serveCanary();
    await closed[Symbol.asyncDispose]();
    const failure = await failureOf(
      egress({ allow: [closed.place] }).request(closed.url, { method: 'POST', body: 'a' }),
    );
    expect(failure).toMatchObject({ code: 'failed', sent: false, reason: 'ECONNREFUSED' });
  });

  test('yes: the connection broke before the response', async () => {
    await using server = await serveCounted((request) => request.socket.destroy());
    const failure = await failureOf(
      egress({ allow: [server.place] }).request(server.url, { method: 'POST', body: 'a' }),
    );
    expect(failure).toMatchObject({ code: 'failed', sent: true });
    expect(server.connections()).toBe(1);
  });

  test('yes: the response is not HTTP', async () => {
    await using server = await serveCounted((request) => request.socket.end('SSH-2.0-OpenSSH\r\n'));
    const failure = await failureOf(egress({ allow: [server.place] }).request(server.url));
    expect(failure).toMatchObject({ code: 'failed', sent: true });
  });

  test('the message names the host that was given, not the address behind it', async () => {
    const closed = await serveCanary();
    await closed[Symbol.asyncDispose]();
    const place = `inside.example:${closed.port}`;
    const made = egress({ allow: [place], lookup: async () => ['127.0.0.1'] });
    const failure = await failureOf(made.request(`http://${place}/`));
    expect(failure.message).toBe(`${place} could not be reached (ECONNREFUSED).`);
    expect([failure.cause, JSON.stringify(failure)]).toEqual([undefined, expect.not.stringContaining('127.0.0.1')]);
  });
});

describe('the standard fetch', () => {
  test('takes what fetch takes', async () => {
    await using server = await echo();
    const made = egress({ allow: [server.place] });
    const init = { method: 'POST', headers: { 'x-a': 'b' }, body: 'text' };
    const arrived = { method: 'POST', body: 'text', headers: { 'x-a': 'b' } };
    expect(await (await made.fetch(server.url, init)).json()).toMatchObject(arrived);
    expect(await (await made.fetch(new URL(server.url), init)).json()).toMatchObject(arrived);
    expect(await (await made.fetch(new Request(server.url, init))).json()).toMatchObject(arrived);
    expect(await (await made.fetch(new Request(server.url, init), { method: 'PUT' })).json()).toMatchObject({
      ...arrived,
      method: 'PUT',
    });
  });

  test('refuses private addresses', async () => {
    const failure = await failureOf(egress({ allow: [] }).fetch('https://169.254.169.254/latest/meta-data'));
    expect(failure).toMatchObject({ code: 'blocked_host', sent: false });
  });

  test('follows redirects, shows them or fails, as requested', async () => {
    await using server = await serveCounted((request, response) => {
      if (request.url === '/end') response.end('end');
      else response.writeHead(302, { location: '/end' }).end();
    });
    const { fetch: guarded } = egress({ allow: [server.place] });
    expect(await (await guarded(server.url)).text()).toBe('end');
    expect((await guarded(server.url, { redirect: 'manual' })).status).toBe(302);
    expect(await failureOf(guarded(server.url, { redirect: 'error' }))).toMatchObject({ code: 'redirect', sent: true });
  });

  test('stops with its signal', async () => {
    await using server = await serveCounted(() => {});
    const stop = new AbortController();
    const answer = egress({ allow: [server.place] }).fetch(server.url, { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('closing aborts running requests', async () => {
  await using server = await serveCounted((_request, response) => response.write('first'));
  const made = egress({ allow: [server.place] });
  const response = await made.request(server.url);
  const text = failureOf(response.text());
  await made.close();
  expect(await text).toMatchObject({ code: 'failed', sent: true });
  await eventually(() => expect(server.open()).toBe(0));
});
