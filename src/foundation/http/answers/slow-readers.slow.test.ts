import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type MediaService, mediaService } from '../../../../test/support/service/media-service.ts';
import { recordedLog } from '../../../../test/support/service/recorded-log.ts';
import type { TestUser } from '../../../../test/support/service/service.ts';
import { buildServer } from '../../../surfaces/server.ts';
import { slowClientLimits } from '../requests/slow-clients.ts';
import type { Server } from '../server.ts';

const limits = { ...slowClientLimits, transferWindowMs: 1500 };
/** More than the operating system buffers for a client that does not read. */
const largeBytes = 48 * 2 ** 20;

const recorded = recordedLog();
let service: MediaService;
let server: Server;
let port: number;
let ada: TestUser;
let downloadPath: string;
const served = new Set<Socket>();
let accepted = 0;

beforeAll(async () => {
  service = await mediaService();
  server = await buildServer({ ...service.app, log: recorded.log }, { slowClients: limits });
  port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
  server.server.on('connection', (socket: Socket) => {
    served.add(socket);
    accepted += 1;
    socket.once('close', () => served.delete(socket));
  });
  ada = await service.aUser();
  const { fileUrl } = await service.anUpload(ada, Buffer.alloc(largeBytes, 7));
  downloadPath = fileUrl.replace(service.app.publicUrl, '');
  for (let i = 0; i < 20; i += 1) {
    const content = 'A long draft. '.repeat(20_000);
    await ada.call('POST', '/create-post', { content, platforms: [await ada.aConnection()] });
  }
});
afterAll(async () => {
  server.server.closeAllConnections();
  await server.close();
  await service.close();
});

const asking = (path: string) => `GET ${path} HTTP/1.1\r\nhost: crier.test\r\nx-service-key: ${ada.apiKey}\r\n\r\n`;

/** A client that reads nothing until the test resumes it. */
async function ask(text: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause();
  socket.write(text);
  return socket;
}

/** Seen from the service: a client that does not read does not notice the end of a connection either. */
const isServed = ({ localPort }: Socket) => [...served].some(({ remotePort }) => remotePort === localPort);

describe('a client that does not read its answer', () => {
  test('is cut off, 200 of them too, and meanwhile others are served', async () => {
    // Two clients with two long responses each: a fifth one would be refused.
    const list = asking('/api/v1/list-posts').repeat(2);
    await Promise.all(Array.from({ length: 200 }, (_, i) => ask(i % 100 === 0 ? list : asking(downloadPath))));
    await expect.poll(() => accepted).toBeGreaterThanOrEqual(200);
    let answered = 0;
    while (served.size > 5) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/account-context`, {
        headers: { 'x-service-key': ada.apiKey },
      });
      expect(answer.status).toBe(200);
      await answer.text();
      answered += 1;
    }
    expect(answered).toBeGreaterThan(5);
    // The last few may still be waiting for their turn.
    const cutOff = () => recorded.lines.filter(({ msg }) => msg === 'a client read its response too slowly');
    await expect.poll(() => cutOff().length).toBe(200);
    expect(recorded.lines.filter(({ level }) => Number(level) > 40)).toEqual([]);
  });

  test('is cut off although it reads a little now and then', async () => {
    const socket = await ask(asking(downloadPath));
    const drip = setInterval(() => socket.read(100), 40);
    onTestFinished(() => clearInterval(drip));
    await expect.poll(() => isServed(socket)).toBe(true);
    await expect.poll(() => isServed(socket)).toBe(false);
  });
});

test('a download at the minimum rate goes on for longer than the window', async () => {
  const socket = await ask(asking(downloadPath));
  let bytes = 0;
  // The operating system delivers in bursts, so the client reads faster than required, but still for several windows.
  const reading = setInterval(() => {
    const chunk = socket.read() as Buffer | null;
    bytes += chunk?.length ?? 0;
  }, 10);
  await new Promise((resolve) => setTimeout(resolve, 3 * limits.transferWindowMs));
  clearInterval(reading);
  expect(bytes).toBeLessThan(largeBytes);
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  socket.resume();
  await expect.poll(() => bytes).toBeGreaterThanOrEqual(largeBytes);
});
