import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { egressTo, failureOf, serveCanary, serveCounted } from '../../../test/support/servers/egress.ts';
import { createEgress, type Egress } from './egress.ts';

interface Arrived {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let server: Awaited<ReturnType<typeof serveCounted>>;
let egress: Egress;
let arrived: Arrived[] = [];

/** `/<status>?to=<location>` redirects; anything else is the end. */
beforeAll(async () => {
  server = await serveCounted(async (request, response) => {
    const url = new URL(request.url ?? '/', server.url);
    const body = Buffer.concat(await request.toArray()).toString();
    arrived.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    const status = Number(url.pathname.slice(1));
    if (!status) return response.end('end');
    response.writeHead(status, url.searchParams.has('to') ? { location: url.searchParams.get('to') ?? '' } : {});
    response.end('moved');
  });
  const other = `other.example:${server.port}`;
  egress = createEgress({ allow: [server.place, other], lookup: async () => ['127.0.0.1'] });
});
afterAll(async () => {
  await egress.close();
  await server[Symbol.asyncDispose]();
});

function moved(to: string, status = 302): string {
  return `${server.url}/${status}?to=${encodeURIComponent(to)}`;
}

async function ask(url: string, options: Parameters<Egress['request']>[1] = {}) {
  arrived = [];
  const response = await egress.request(url, options);
  return { response, text: await response.text(), last: arrived.at(-1) };
}

test('a relative or absolute redirect is followed, and the response has the final URL', async () => {
  const { response, text } = await ask(moved(moved('/end?a=b')));
  expect(text).toBe('end');
  expect([response.redirected, response.url]).toEqual([true, `${server.url}/end?a=b`]);
  expect(arrived).toHaveLength(3);
});

test('a Location that is not ASCII is read as UTF-8', async () => {
  await using utf8 = await serveCounted((request, response) => {
    if (request.url !== '/') return response.end(request.url);
    request.socket.end(Buffer.from('HTTP/1.1 302 Found\r\nLocation: /ü\r\nContent-Length: 0\r\n\r\n'));
  });
  const made = createEgress({ allow: [utf8.place] });
  expect(await (await made.request(utf8.url)).text()).toBe('/%C3%BC');
  await made.close();
});

describe('method and body after a redirect follow the rules of fetch', () => {
  test.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [307, 'POST', 'POST', 'body'],
    [308, 'POST', 'POST', 'body'],
    [301, 'PUT', 'PUT', 'body'],
    [302, 'PATCH', 'PATCH', 'body'],
    [303, 'PUT', 'GET', ''],
    [303, 'DELETE', 'GET', ''],
    [307, 'PUT', 'PUT', 'body'],
  ])('%i: %s becomes %s', async (status, method, after, body) => {
    const { last } = await ask(moved('/end', status), { method, body: 'body', headers: { 'content-language': 'en' } });
    expect([last?.method, last?.body]).toEqual([after, body]);
    expect(last?.headers['content-type']).toBe(body ? 'text/plain;charset=UTF-8' : undefined);
    expect(last?.headers['content-language']).toBe(body ? 'en' : undefined);
    expect(last?.headers['content-length']).toBe(body ? '4' : undefined);
  });

  test.each([301, 302, 303, 307, 308])('%i: HEAD stays HEAD', async (status) => {
    expect((await ask(moved('/end', status), { method: 'HEAD' })).last?.method).toBe('HEAD');
  });

  test('a file is sent again from its beginning, a form too', async () => {
    const file = new Blob(['bytes'], { type: 'image/png' });
    const form = new FormData();
    form.append('file', file, 'a.png');
    expect((await ask(moved('/end', 307), { method: 'PUT', body: file })).last).toMatchObject({
      body: 'bytes',
      headers: { 'content-type': 'image/png', 'content-length': '5' },
    });
    expect((await ask(moved('/end', 307), { method: 'POST', body: form })).last?.body).toContain('bytes');
  });

  test('a stream is not sent again', async () => {
    const body = () => ReadableStream.from([Buffer.from('bytes')]);
    const failure = await failureOf(ask(moved('/end', 307), { method: 'POST', body: body() }));
    expect(failure).toMatchObject({ code: 'redirect', sent: true });
    expect((await ask(moved('/end', 303), { method: 'POST', body: body() })).text).toBe('end');
  });
});

describe('headers', () => {
  const secrets = {
    authorization: 'Bearer token',
    cookie: 'session=1',
    'x-service-key': 'key',
    'webhook-signature': 'v1,abc',
  };
  const plain = { accept: 'image/*', 'user-agent': 'Crier/1', range: 'bytes=0-9', 'accept-language': 'en' };

  test('are all sent to the same origin', async () => {
    const { last } = await ask(moved('/end'), { headers: { ...secrets, ...plain } });
    expect(last?.headers).toMatchObject({ ...secrets, ...plain });
  });

  test('are reduced to harmless ones for another host, and stay reduced on the way back', async () => {
    const other = `http://other.example:${server.port}`;
    const back = `${other}/302?to=${encodeURIComponent(`${server.url}/end`)}`;
    const { text } = await ask(moved(back), { headers: { ...secrets, ...plain } });
    expect(text).toBe('end');
    for (const { headers } of arrived.slice(1)) {
      expect(headers).toMatchObject(plain);
      for (const name of Object.keys(secrets)) expect(headers).not.toHaveProperty(name);
    }
    expect(arrived[1]?.headers.host).toBe(`other.example:${server.port}`);
  });

  test('are reduced to harmless ones for another port of the same host', async () => {
    const seen: IncomingHttpHeaders[] = [];
    await using neighbour = await serveCounted((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const made = createEgress({ allow: [server.place, neighbour.place] });
    await made.request(moved(neighbour.url), { headers: secrets });
    expect(seen).toHaveLength(1);
    for (const name of Object.keys(secrets)) expect(seen[0]).not.toHaveProperty(name);
    await made.close();
  });
});

describe('a redirect is not followed', () => {
  test.each([
    ['blocked_host', 'https://127.0.0.1/'],
    ['blocked_host', 'https://2130706433/'],
    ['blocked_host', 'https://0x7f.1/'],
    ['blocked_host', 'https://[::1]/'],
    ['blocked_host', 'https://[::ffff:127.0.0.1]/'],
    ['blocked_host', 'https://[64:ff9b::7f00:1]/'],
    ['blocked_host', 'https://[2002:7f00:1::]/'],
    ['blocked_host', 'https://169.254.169.254/latest/meta-data/'],
    ['blocked_host', 'https://localhost/'],
    ['blocked_host', 'https://metadata.google.internal/'],
    ['blocked_host', 'https://leads-inside.example/'],
    ['protocol', 'http://127.0.0.1/'],
    ['protocol', 'http://public.example/'],
    ['protocol', 'file:///etc/passwd'],
    ['protocol', 'gopher://127.0.0.1:6379/_FLUSHALL'],
    ['credentials', 'https://user:password@public.example/'],
    ['port', 'https://public.example:8443/'],
    ['redirect', 'https://[::1'],
    ['redirect', 'https://'],
    ['redirect', ''],
  ])('%s: to %s', async (code, to) => {
    await using canary = await serveCanary();
    const made = egressTo(canary.port, { allow: [server.place], lookup: async () => ['127.0.0.1'] });
    expect(await failureOf(made.request(moved(to)))).toMatchObject({ code, sent: true });
    expect(canary.connections()).toBe(0);
    await made.close();
  });

  test('without a Location', async () => {
    expect(await failureOf(ask(`${server.url}/302`))).toMatchObject({ code: 'redirect', sent: true });
  });

  test('when redirects are off: it is returned as the response', async () => {
    const { response, text } = await ask(moved('https://127.0.0.1/', 301), { method: 'POST', body: 'a', redirects: 0 });
    expect([response.status, response.headers.get('location'), text]).toEqual([301, 'https://127.0.0.1/', 'moved']);
    expect((await ask(`${server.url}/302`, { redirects: 0 })).response.status).toBe(302);
    expect(arrived).toHaveLength(1);
  });

  test.each([300, 304, 305])('with %i, which is not a redirect', async (status) => {
    expect((await ask(moved('/end', status))).response.status).toBe(status);
  });
});

describe('the number of redirects', () => {
  const chain = (length: number) => Array.from({ length }).reduce<string>((to) => moved(to), `${server.url}/end`);

  test('is five at most by default', async () => {
    expect((await ask(chain(5))).text).toBe('end');
    expect(await failureOf(ask(chain(6)))).toMatchObject({ code: 'too_many_redirects', sent: true });
    expect(arrived).toHaveLength(6);
    expect((await ask(chain(2), { redirects: 2 })).text).toBe('end');
    expect(await failureOf(ask(chain(3), { redirects: 2 }))).toMatchObject({ code: 'too_many_redirects' });
  });

  test('ends a redirect loop', async () => {
    await using circle = await serveCounted((_request, response) => response.writeHead(302, { location: '/' }).end());
    const made = createEgress({ allow: [circle.place] });
    expect((await failureOf(made.request(circle.url))).code).toBe('too_many_redirects');
    await made.close();
  });
});
