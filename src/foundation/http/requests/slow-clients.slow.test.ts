import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MediaService, mediaService } from '../../../../test/support/service/media-service.ts';
import { recordedLog } from '../../../../test/support/service/recorded-log.ts';
import type { TestUser } from '../../../../test/support/service/service.ts';
import { buildServer } from '../../../surfaces/server.ts';
import type { Server } from '../server.ts';

const limits = { headersMs: 1500, bodyMs: 1500, transferWindowMs: 1500, transferBytesPerSecond: 10_000 };

const recorded = recordedLog();
let service: MediaService;
let server: Server;
let port: number;
let ada: TestUser;
let accepted = 0;
beforeAll(async () => {
  service = await mediaService();
  server = await buildServer({ ...service.app, log: recorded.log }, { slowClients: limits });
  port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
  server.server.on('connection', () => {
    accepted += 1;
  });
  ada = await service.aUser();
});
afterAll(async () => {
  server.server.closeAllConnections();
  await server.close();
  await service.close();
});

const head = (line: string, headers: Record<string, string | number> = {}) =>
  [`${line} HTTP/1.1`, 'host: crier.test', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join(
    '\r\n',
  );
const withBody = (line: string, type: string, bytes: number, more: Record<string, string> = {}) =>
  `${head(line, { 'content-type': type, 'content-length': bytes, ...more })}\r\n\r\n`;
const key = () => ({ 'x-service-key': ada.apiKey });
const formType = 'multipart/form-data; boundary=b';
const formStart = '--b\r\ncontent-disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n';

async function anUploadPath(): Promise<string> {
  const { uploadUrl } = await service.anAddress(ada, await service.aDraft(ada));
  return String(uploadUrl).replace(service.app.publicUrl, '');
}

interface Pace {
  bytes: number;
  everyMs: number;
}

/** Sends the text, then continues at this pace until it is disconnected. Never closes the connection itself. */
async function attack(text: string, pace: Pace | null = null, count = Number.POSITIVE_INFINITY) {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const closed = new Promise<void>((resolve) => socket.once('end', resolve).once('close', () => resolve()));
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk)).on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  let left = count;
  const timer = pace && setInterval(() => left-- > 0 && socket.write('x'.repeat(pace.bytes)), pace.everyMs);
  return {
    answer: () => answer,
    async cutOff() {
      await closed;
      if (timer) clearInterval(timer);
      socket.destroy();
      return answer;
    },
  };
}

const openConnections = () => new Promise<number>((resolve) => server.server.getConnections((_, n) => resolve(n)));
const drip = { bytes: 1, everyMs: 40 };

test('200 slow clients are cut off with 408, and meanwhile others are served', async () => {
  const uploadPath = await anUploadPath();
  const json = (bytes: number) => withBody('POST /api/v1/create-post', 'application/json', bytes, key());
  const attacks: (() => ReturnType<typeof attack>)[] = [
    () => attack(''),
    () => attack(head('GET /healthz'), drip),
    () => attack(json(1000)),
    () => attack(`${json(1000)}{"content":"`, drip),
    () => attack(`${json(1_000_000)}{"content":"`, { bytes: 500, everyMs: 40 }),
    () =>
      attack(
        `${head('POST /api/v1/auth/signin', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })}\r\n\r\n`,
      ),
    () => attack(withBody(`PUT ${uploadPath}`, 'image/png', 1_000_000), drip),
    () => attack(withBody('POST /api/v1/process-video', formType, 1_000_000, key()) + formStart, drip),
  ];
  const clients = await Promise.all(attacks.flatMap((begin) => Array.from({ length: 25 }, begin)));
  expect(clients.length).toBe(200);
  await expect.poll(() => accepted).toBeGreaterThanOrEqual(200);
  const cutOff = Promise.all(clients.map((client) => client.cutOff()));
  let over = false;
  cutOff.finally(() => {
    over = true;
  });
  let served = 0;
  for (; !over; served += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/list-posts`, { headers: key() });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  expect(served).toBeGreaterThan(5);
  const statuses = new Set((await cutOff).map((answer) => answer.slice(0, 12)));
  expect([...statuses]).toEqual(['HTTP/1.1 408']);
  // The connections shared by the served requests stay open.
  await expect.poll(openConnections).toBeLessThan(10);
});

test('a client that was too slow gets the reason', async () => {
  const client = await attack(withBody('POST /api/v1/create-post', 'application/json', 9, key()));
  const [headers = '', body = ''] = (await client.cutOff()).split('\r\n\r\n');
  expect(headers).toContain('408 Request Timeout');
  expect(JSON.parse(body)).toMatchObject({ code: 'REQUEST_TIMEOUT', error: 'The request did not arrive in time' });
});

test('an upload at the minimum rate has no total limit', async () => {
  const path = await anUploadPath();
  const pace = { bytes: 2000, everyMs: 40 };
  const pieces = Math.ceil((3 * limits.transferWindowMs) / pace.everyMs);
  const client = await attack(withBody(`PUT ${path}`, 'image/png', pieces * pace.bytes), pace, pieces);
  await expect.poll(client.answer).toContain('HTTP/1.1 200');
});

test('an upload that begins fast and then drips is cut off', async () => {
  const client = await attack(
    withBody(`PUT ${await anUploadPath()}`, 'image/png', 9_000_000) + 'x'.repeat(1_000_000),
    drip,
  );
  expect((await client.cutOff()).slice(0, 12)).toBe('HTTP/1.1 408');
});

test.each([
  ['a refused upload', 'POST /api/v1/process-video', formType, '401'],
  ['a body that nothing reads', 'GET /healthz', 'application/json', '200'],
  ['a body to an unreadable address', 'POST /api/v1/get-post/%ff', 'application/json', '400'],
])('%s cannot be sent forever, however fast it is', async (_, line, type, status) => {
  const client = await attack(withBody(line, type, 1_000_000_000), { bytes: 4000, everyMs: 40 });
  expect((await client.cutOff()).slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
});

test('the log names who was cut off, and has no errors', async () => {
  const start = withBody('POST /api/v1/process-video', formType, 9_000_000, key()) + formStart;
  await (await attack(start)).cutOff();
  const line = {
    code: 'REQUEST_TIMEOUT',
    method: 'POST',
    path: '/api/v1/process-video',
    msg: 'a client sent too slowly',
  };
  expect(recorded.lines).toContainEqual(expect.objectContaining(line));
  expect(recorded.lines.filter(({ level }) => Number(level) > 30)).toEqual([]);
});
