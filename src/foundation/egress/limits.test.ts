import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { failureOf, serveCounted } from '../../../test/support/servers/egress.ts';
import { createEgress, type Egress } from './egress.ts';

const opened: Egress[] = [];
function egressFor(server: { place: string }): Egress {
  const made = createEgress({ allow: [server.place] });
  opened.push(made);
  return made;
}
afterEach(() => Promise.all(opened.splice(0).map((made) => made.close())));

describe('the size of a response', () => {
  test('may be the cap itself', async () => {
    await using server = await serveCounted((_request, response) => response.end('12345'));
    const response = await egressFor(server).request(server.url, { maxBytes: 5 });
    expect(await response.text()).toBe('12345');
  });

  test('with a Content-Length over the cap fails the body before a byte is read and closes the connection', async () => {
    await using server = await serveCounted((_request, response) => {
      response.writeHead(200, { 'content-length': '1000000' }).write('12345');
    });
    const response = await egressFor(server).request(server.url, { maxBytes: 10 });
    expect(response.status).toBe(200);
    expect(await failureOf(response.text())).toMatchObject({ code: 'too_large', sent: true });
    await eventually(() => expect(server.open()).toBe(0));
  });

  test('over the cap in mid-stream fails the body and closes the connection', async () => {
    let written = 0;
    await using server = await serveCounted((_request, response) => pour(response, (bytes) => (written += bytes)));
    const response = await egressFor(server).request(server.url, { maxBytes: 1_000_000 });
    expect(await failureOf(drain(response))).toMatchObject({ code: 'too_large', sent: true });
    await eventually(() => expect(server.open()).toBe(0));
    expect(written).toBeLessThan(30_000_000);
  });

  test('over the cap says how much is allowed', async () => {
    await using server = await serveCounted((_request, response) => response.end('123456'));
    const response = await egressFor(server).request(server.url, { maxBytes: 5 });
    expect((await failureOf(response.text())).message).toBe(`The response of ${server.place} is larger than 5 bytes.`);
  });

  test('does not grow in memory while it is not read', async () => {
    let written = 0;
    await using server = await serveCounted((_request, response) => pour(response, (bytes) => (written += bytes)));
    const response = await egressFor(server).request(server.url, { maxBytes: 1e12 });
    await eventually(() => expect(written).toBeGreaterThan(0));
    let before = -1;
    await eventually(
      () => {
        const still = before === written;
        before = written;
        expect(still).toBe(true);
      },
      { interval: 200 },
    );
    expect(written).toBeLessThan(30_000_000);
    await response.body?.cancel();
    await eventually(() => expect(server.open()).toBe(0));
  });
});

describe('interim responses', () => {
  test('of a server that sends a few are skipped', async () => {
    await using server = await serveCounted((_request, response) => {
      for (let sent = 0; sent < 5; sent += 1) response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.end('Hello');
    });
    const response = await egressFor(server).request(server.url, { maxBytes: 100 });
    expect(await response.text()).toBe('Hello');
  });

  test('without end fail the request and close the connection', async () => {
    const many = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(1_000);
    await using server = await serveCounted(({ socket }) => {
      const more = () => {
        if (!socket.destroyed) socket.write(many, () => setImmediate(more));
      };
      more();
    });
    const failure = await failureOf(egressFor(server).request(server.url, { maxBytes: 100, timeoutMs: 5_000 }));
    expect(failure).toMatchObject({
      code: 'failed',
      sent: true,
      message: `${server.place} sent more than 10 interim responses.`,
    });
    await eventually(() => expect(server.open()).toBe(0));
  });
});

describe('the chunks of a response', () => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

  test('that are tiny reach the reader merged', async () => {
    await using server = await serveCounted(({ socket }) => {
      socket.end(`${chunked}${'1\r\nx\r\n'.repeat(2_000)}0\r\n\r\n`);
    });
    const response = await egressFor(server).request(server.url);
    const sizes: number[] = [];
    for await (const chunk of response.body!) sizes.push(chunk.byteLength);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(2_000);
    expect(sizes.length).toBeLessThan(50);
  });

  test('that are tiny and too many fail the body and close the connection', async () => {
    await using server = await serveCounted(({ socket }) => {
      socket.write(`${chunked}${'1\r\nx\r\n'.repeat(300_000)}0\r\n\r\n`);
    });
    const response = await egressFor(server).request(server.url);
    expect(await failureOf(response.text())).toMatchObject({
      code: 'failed',
      sent: true,
      message: `${server.place} sent its response in too many tiny chunks.`,
    });
    await eventually(() => expect(server.open()).toBe(0));
  });

  test('may be many of an ordinary size', async () => {
    await using server = await serveCounted(({ socket }) => {
      socket.end(`${chunked}${`64\r\n${'x'.repeat(100)}\r\n`.repeat(10_000)}0\r\n\r\n`);
    });
    const response = await egressFor(server).request(server.url);
    expect((await response.text()).length).toBe(1_000_000);
  });

  test('are not held back until more arrives', async () => {
    await using server = await serveCounted((_request, response) => {
      response.write('first');
    });
    const response = await egressFor(server).request(server.url);
    const { value } = await response.body!.getReader().read();
    expect(Buffer.from(value!).toString()).toBe('first');
  });
});

describe('a response compressed without being asked for', () => {
  test.each([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
  ])('%s is undone', async (encoding, compress) => {
    await using server = await serveCounted((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('Hello'));
    });
    const response = await egressFor(server).request(server.url, { maxBytes: 100 });
    expect(response.headers.has('content-encoding')).toBe(false);
    expect(await response.text()).toBe('Hello');
  });

  test('is capped by its decoded size, and the connection is closed', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    await using server = await serveCounted((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(bomb);
    });
    const before = process.memoryUsage().arrayBuffers;
    const response = await egressFor(server).request(server.url, { maxBytes: 1_000_000 });
    expect(await failureOf(drain(response))).toMatchObject({ code: 'too_large', sent: true });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    await eventually(() => expect(server.open()).toBe(0));
  });

  test('is capped by its encoded size as well', async () => {
    const header = gzipSync('').subarray(0, 10);
    const emptyBlocks = Buffer.alloc(500_000, Buffer.of(0, 0, 0, 0xff, 0xff));
    await using server = await serveCounted((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(Buffer.concat([header, emptyBlocks]));
    });
    const response = await egressFor(server).request(server.url, { maxBytes: 1000 });
    expect(await failureOf(response.text())).toMatchObject({ code: 'too_large', sent: true });
    await eventually(() => expect(server.open()).toBe(0));
  });

  test.each(['br', 'gzip, gzip', 'zstd', 'constructor', '__proto__'])('with %s stays encoded', async (encoding) => {
    const bytes = brotliCompressSync('Hello');
    await using server = await serveCounted((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
    });
    const response = await egressFor(server).request(server.url);
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });

  test.each([
    ['broken', Buffer.from('this is no gzip at all')],
    ['cut off', gzipSync('Hello, hello, hello').subarray(0, 15)],
  ])('and %s is a failure', async (_name, bytes) => {
    await using server = await serveCounted((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes);
    });
    const response = await egressFor(server).request(server.url);
    expect(await failureOf(response.text())).toMatchObject({ code: 'failed', sent: true });
  });
});

describe('the time limit', () => {
  test('ends the wait for a response and closes the connection', async () => {
    await using server = await serveCounted(() => {});
    const failure = await failureOf(egressFor(server).request(server.url, { timeoutMs: 500 }));
    expect(failure).toMatchObject({ code: 'timeout', sent: true });
    expect(failure.message).toBe(`${server.place} took longer than 0.5 s.`);
    await eventually(() => expect(server.open()).toBe(0));
  });

  test('ends a body that drips, however steadily', async () => {
    await using server = await serveCounted((_request, response) => drip(response));
    const response = await egressFor(server).request(server.url, { timeoutMs: 200 });
    expect(await failureOf(response.text())).toMatchObject({ code: 'timeout', sent: true });
    await eventually(() => expect(server.open()).toBe(0));
  });

  test('ends headers that drip', async () => {
    await using server = await serveCounted((request) => {
      request.socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => request.socket.write('x-a: b\r\n'), 10);
      request.socket.once('close', () => clearInterval(timer));
    });
    const failure = await failureOf(egressFor(server).request(server.url, { timeoutMs: 200 }));
    expect(failure).toMatchObject({ code: 'timeout', sent: true });
  });

  test('ends a body that is not read', async () => {
    await using server = await serveCounted((_request, response) => pour(response));
    const response = await egressFor(server).request(server.url, { timeoutMs: 200, maxBytes: 1e12 });
    await eventually(() => expect(server.open()).toBe(0));
    expect(await failureOf(drain(response))).toMatchObject({ code: 'timeout' });
  });

  test('covers all redirects together', async () => {
    await using server = await serveCounted((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 80);
    });
    const failure = await failureOf(egressFor(server).request(server.url, { timeoutMs: 200, redirects: 50 }));
    expect(failure).toMatchObject({ code: 'timeout', sent: true });
  });
});

describe('the signal of the caller', () => {
  const stopped = new Error('Changed my mind.');

  test('stops before anything is sent', async () => {
    await using server = await serveCounted((_request, response) => response.end());
    const asked = egressFor(server).request(server.url, { signal: AbortSignal.abort(stopped) });
    await expect(asked).rejects.toBe(stopped);
    expect(server.connections()).toBe(0);
  });

  test('stops while a name is looked up, and nothing is sent later', async () => {
    const seen = vi.fn();
    await using server = await serveCounted((_request, response) => response.end(seen()));
    const lookedUp = Promise.withResolvers<string[]>();
    const made = createEgress({ allow: [`slow.example:${server.port}`], lookup: () => lookedUp.promise });
    opened.push(made);
    const stop = new AbortController();
    const asked = made.request(`http://slow.example:${server.port}/`, { signal: stop.signal });
    setTimeout(() => stop.abort(stopped), 20);
    await expect(asked).rejects.toBe(stopped);
    lookedUp.resolve(['127.0.0.1']);
    await eventually(() => expect(server.connections()).toBe(1));
    await eventually(() => expect(server.open()).toBe(0));
    expect(seen).not.toHaveBeenCalled();
  });

  test('stops the wait for a response and closes the connection', async () => {
    const stop = new AbortController();
    await using server = await serveCounted(() => stop.abort(stopped));
    await expect(egressFor(server).request(server.url, { signal: stop.signal })).rejects.toBe(stopped);
    await eventually(() => expect(server.open()).toBe(0));
  });

  test('stops a body and closes the connection', async () => {
    await using server = await serveCounted((_request, response) => drip(response));
    const stop = new AbortController();
    const response = await egressFor(server).request(server.url, { signal: stop.signal });
    setTimeout(() => stop.abort(stopped), 50);
    await expect(response.text()).rejects.toBe(stopped);
    await eventually(() => expect(server.open()).toBe(0));
  });

  test.each<[string, (made: Egress, url: string, signal: AbortSignal) => Promise<unknown>]>([
    ['was read', async (made, url, signal) => (await made.request(url, { signal })).text()],
    ['was not wanted', async (made, url, signal) => (await made.request(url, { signal })).body?.cancel()],
    [
      'was too large',
      async (made, url, signal) => failureOf((await made.request(url, { signal, maxBytes: 1 })).text()),
    ],
    ['was none', (made, url, signal) => failureOf(made.request(`${url}/nothing`, { signal }))],
    ['was not asked for', (made, _url, signal) => failureOf(made.request('https://127.0.0.1/', { signal }))],
  ])('is let go of, and the time limit with it, when the answer %s', async (_name, ask) => {
    await using server = await serveCounted((request, response) => {
      if (request.url === '/nothing') request.socket.destroy();
      else response.end('Hello');
    });
    const { signal } = new AbortController();
    await ask(egressFor(server), server.url, signal);
    await eventually(() => expect(getEventListeners(signal, 'abort')).toEqual([]));
  });

  test('stops an upload', async () => {
    await using server = await serveCounted((request) => request.resume());
    const stop = new AbortController();
    const body = new ReadableStream({ pull: (reader) => reader.enqueue(Buffer.alloc(1000)) });
    const asked = egressFor(server).request(server.url, { method: 'POST', body, signal: stop.signal });
    setTimeout(() => stop.abort(stopped), 50);
    await expect(asked).rejects.toBe(stopped);
    await eventually(() => expect(server.open()).toBe(0));
  });
});

test('cancelling a body that receives nothing closes the connection immediately', async () => {
  await using server = await serveCounted((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).flushHeaders();
  });
  const response = await egressFor(server).request(server.url);
  const reader = response.body?.getReader();
  void reader?.read();
  await reader?.cancel();
  await eventually(() => expect(server.open()).toBe(0));
});

test('an upload that fails in the middle counts as sent', async () => {
  await using server = await serveCounted((request) => request.resume());
  const body = new ReadableStream({
    start: (reader) => reader.enqueue(Buffer.from('first')),
    pull: async (reader) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      reader.error(new Error('The disk is gone.'));
    },
  });
  const asked = egressFor(server).request(server.url, { method: 'POST', body });
  expect(await failureOf(asked)).toMatchObject({ code: 'failed', sent: true });
});

/** Sends endlessly, as fast as the client reads. */
function pour(response: ServerResponse, count: (bytes: number) => void = () => {}): void {
  const chunk = Buffer.alloc(64 * 1024);
  const more = () => {
    if (response.destroyed) return;
    count(chunk.length);
    if (response.write(chunk)) setImmediate(more);
    else response.once('drain', more);
  };
  more();
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('.'), 10);
  response.once('close', () => clearInterval(timer));
}

async function drain(response: Response): Promise<void> {
  for await (const _chunk of response.body ?? []);
}
