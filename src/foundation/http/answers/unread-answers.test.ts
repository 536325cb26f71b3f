import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp, testServer } from '../../../../test/support/service/app.ts';
import type { Server } from '../server.ts';

const text = 'x'.repeat(190_000);

let ours: TestApp;
let server: Server;
let url: URL;
beforeAll(async () => {
  ours = await testApp();
  server = await testServer(ours.app, (api) => {
    api.get('/text', async () => ({ text }));
    for (const [path, repeats] of [
      ['left', 1],
      ['left-long', 3],
    ] as const) {
      api.get(`/${path}`, async ({ raw }) => {
        const { socket } = raw;
        if (!socket.destroyed) await once(socket, 'close');
        return { texts: Array(repeats).fill(text) };
      });
    }
    api.get('/long', async () => ({ texts: [text, text, text] }));
    // The operating system takes the first megabytes of a connection's responses.
    api.get('/first', async () => Readable.from(Array.from({ length: 500 }, () => Buffer.alloc(100_000))));
  });
  url = new URL('/api/v1/text', await server.listen({ port: 0, host: '127.0.0.1' }));
});
afterAll(async () => {
  await server.close();
  await ours.close();
});

const ask = async () => {
  const response = await fetch(url);
  await response.text();
  return [response.status, response.headers.get('retry-after')];
};

test('a client that does not read its responses gets no more of them', async () => {
  const get = (path: string) => `GET /api/v1/${path} HTTP/1.1\r\nhost: crier.test\r\n\r\n`;
  const sockets = Array.from({ length: 8 }, () => {
    const socket = connect({ port: Number(url.port), host: url.hostname });
    socket.pause().write(get('first') + get('text').repeat(14));
    return socket.on('error', () => {});
  });
  await expect.poll(ask).toEqual([429, '1']);
  for (const socket of sockets) socket.destroy();
  await expect.poll(ask).toEqual([200, null]);
  server.server.closeAllConnections();
});

test.each([
  ['short', 'left', 'text', 100],
  ['long', 'left-long', 'long', 5],
])('%s responses whose clients have left do not count', async (_, left, read, count) => {
  for (let calls = 0; calls < count; calls += 1) {
    const socket = connect({ port: Number(url.port), host: url.hostname });
    socket.write(`GET /api/v1/${left} HTTP/1.1\r\nhost: crier.test\r\n\r\n`, () =>
      setTimeout(() => socket.destroy(), 5),
    );
    await once(socket, 'close');
  }
  const response = await fetch(new URL(read, url));
  expect([response.status, (await response.text()).length > text.length]).toEqual([200, true]);
});

test('responses that are read do not count, however many they are', async () => {
  for (let calls = 0; calls < 200; calls += 1) expect((await server.inject(url.pathname)).statusCode).toBe(200);
});
