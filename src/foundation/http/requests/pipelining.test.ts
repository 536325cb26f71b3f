import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/support/database/temporary-server.ts';
import { serveMedia } from '../../../../test/support/servers/media.ts';
import { recordedLog } from '../../../../test/support/service/recorded-log.ts';
import { sealingKey } from '../../lib/seal.ts';
import { diskStorage } from '../../storage/disk.ts';
import { storageKey } from '../../storage/storage-key.ts';
import { systemClock } from '../../time/clock.ts';
import { maxUnfinished } from './pipelining.ts';

const recorded = recordedLog();
let folder: TemporaryFolder;
let media: Awaited<ReturnType<typeof serveMedia>>;
/** A file too large for the buffers of a connection. */
let path: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  const sealingKeys = { current: sealingKey('01'.repeat(32)), previous: [] };
  media = await serveMedia(
    (publicUrl) => diskStorage({ folder: folder.path, publicUrl, sealingKeys, clock: systemClock }),
    { log: recorded.log },
  );
  const key = storageKey('image', 'a.png', systemClock.now(), 0);
  async function* content() {
    yield Buffer.alloc(16_000_000);
  }
  await media.storage.write(key, content(), { contentType: 'image/png' });
  path = new URL(media.storage.publicUrl(key)).pathname;
});
afterAll(async () => {
  await media[Symbol.asyncDispose]();
  await folder.remove();
});

const requests = (target: string, count: number) => `GET ${target} HTTP/1.1\r\nhost: crier.test\r\n\r\n`.repeat(count);

function send(text: string): Socket {
  const { port, hostname } = new URL(media.publicUrl);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

test('a connection that does not wait for its answers opens few files, and is closed', async () => {
  const openFiles = async () => (await readdir('/dev/fd')).length;
  const before = await openFiles();
  let most = before;
  const socket = send(requests(path, 500));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.pause();
  const logged = () =>
    recorded.lines.some(({ msg }) => msg === 'a client did not wait for the answers to its requests');
  for (let look = 0; look < 20 || !logged(); look += 1) {
    most = Math.max(most, await openFiles());
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (look > 300) break;
  }
  expect(most - before).toBeLessThan(2 * maxUnfinished);
  expect(logged()).toBe(true);
  socket.resume();
  await closed;
  await expect.poll(openFiles).toBeLessThanOrEqual(before + 2);
});

test('a client may send a few requests without waiting, any number of times', async () => {
  const socket = send('');
  let answers = '';
  socket.on('data', (chunk) => (answers += chunk));
  for (let round = 1; round <= 5; round += 1) {
    socket.write(requests('/media/none', maxUnfinished));
    await expect.poll(() => answers.match(/HTTP\/1\.1 404/g)?.length).toBe(round * maxUnfinished);
  }
  expect(socket.destroyed).toBe(false);
});
