import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';

let service: TestService;
let port: number;
let ada: TestUser;
beforeAll(async () => {
  service = await testService();
  port = Number(new URL(await service.server.listen({ port: 0, host: '127.0.0.1' })).port);
  ada = await service.aUser();
});
afterAll(() => service.close());

const chunked = (line: string, type: string, pieces: readonly string[]) =>
  [
    `${line} HTTP/1.1\r\nhost: crier.test\r\nx-service-key: ${ada.apiKey}\r\ncontent-type: ${type}\r\n`,
    'transfer-encoding: chunked\r\n\r\n',
    ...pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`),
    '0\r\n\r\n',
  ].join('');

/** Sends the requests. Returns the responses once there are this many, or once the server closes the connection. */
function answersTo(requests: string, count: number): Promise<{ answers: string; isClosed: boolean }> {
  const { promise, resolve } = Promise.withResolvers<{ answers: string; isClosed: boolean }>();
  const socket = connect(port, '127.0.0.1', () => socket.write(requests));
  let answers = '';
  socket
    .on('data', (chunk) => {
      answers += chunk;
      if (answers.match(/HTTP\/1\.1 \d/g)?.length === count) setTimeout(() => socket.destroy(), 500).unref();
    })
    .on('error', () => {})
    .on('end', () => resolve({ answers, isClosed: true }))
    .on('close', () => resolve({ answers, isClosed: false }));
  return promise;
}

const piecesOf = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
/** It is read, and then refused because it has no platform. */
const post = (length: number) => JSON.stringify({ content: 'x'.repeat(length), platforms: [] });
const json = 'application/json';
const form = 'multipart/form-data; boundary=b';
const formStart = '--b\r\ncontent-disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n';

describe('a body in thousands of tiny chunks', () => {
  test.each([
    ['of JSON', 'POST /api/v1/create-post', json, piecesOf(post(5_000), 1)],
    ['of a file', 'POST /api/v1/process-video', form, [formStart, ...piecesOf('x'.repeat(10_000), 1)]],
    ['for no route', 'POST /api/v1/nowhere', json, piecesOf(post(5_000), 1)],
  ])('%s is refused, and the connection is closed', async (_, line, type, pieces) => {
    const { answers, isClosed } = await answersTo(chunked(line, type, pieces), 1);
    expect(answers.slice(0, 12)).toBe('HTTP/1.1 400');
    expect(JSON.parse(answers.split('\r\n\r\n')[1]!)).toMatchObject({
      code: 'BODY_IN_TINY_CHUNKS',
      error: expect.stringContaining('64 bytes'),
    });
    expect(isClosed).toBe(true);
  });

  test('is not read further', async () => {
    const { promise: read, resolve } = Promise.withResolvers<number>();
    service.server.server.once('connection', (socket) => socket.once('close', () => resolve(socket.bytesRead)));
    await answersTo(chunked('POST /api/v1/create-post', json, piecesOf('x'.repeat(1_000_000), 1)), 1);
    expect(await read).toBeLessThan(500_000);
  });
});

test.each([
  ['a short body, byte by byte', post(1_000), 1],
  ['a long body in packets of a bad line', post(200_000), 500],
])('%s is accepted', async (_, body, size) => {
  const { answers } = await answersTo(chunked('POST /api/v1/create-post', json, piecesOf(body, size)), 1);
  expect(answers).not.toContain('BODY_IN_TINY_CHUNKS');
  expect(answers).toContain('PLATFORMS_EMPTY');
});
