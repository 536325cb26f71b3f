import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { compressed } from './compressed.ts';

const text = 'All work and no play makes a dull page. '.repeat(200);
const type = 'text/plain; charset=utf-8';

async function serverWith(handler: ReturnType<typeof compressed>) {
  const server = fastify();
  server.get('/document', handler);
  return (encoding: string, headers = {}) =>
    server.inject({ url: '/document', headers: { 'accept-encoding': encoding, ...headers } });
}

test('a document is sent in the smallest form that the client takes', async () => {
  const get = await serverWith(compressed(() => text, { type }));
  const br = await get('gzip, br');
  expect([br.headers['content-encoding'], brotliDecompressSync(br.rawPayload).toString()]).toEqual(['br', text]);
  const gzip = await get('gzip, br;q=0');
  expect([gzip.headers['content-encoding'], gunzipSync(gzip.rawPayload).toString()]).toEqual(['gzip', text]);
  const plain = await get('');
  expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, text]);
});

test('a form that was made before is sent as it is, and none is made again', async () => {
  const made = brotliCompressSync(text);
  const get = await serverWith(compressed(() => text, { type, readBrotli: async () => made }));
  expect((await get('br')).rawPayload.equals(made)).toBe(true);
});

test('a client that has the document gets no second copy', async () => {
  const get = await serverWith(compressed(() => text, { type }));
  const { etag } = (await get('br')).headers;
  const again = await get('br', { 'if-none-match': etag });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});
