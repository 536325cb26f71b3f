// memory.slow.test.ts runs this in its own process, so that the garbage of other tests does not count as growth.

import { sealingKey } from '../../../src/foundation/lib/seal.ts';
import { openStorage } from '../../../src/foundation/storage/open-storage.ts';
import { systemClock } from '../../../src/foundation/time/clock.ts';
import { serveMedia } from '../servers/media.ts';

const [, , job, ...args] = process.argv as [string, string, string, ...string[]];
const sealingKeys = { current: sealingKey('01'.repeat(32)), previous: [] };
const megabyte = 1024 ** 2;

function open(storage: Parameters<typeof openStorage>[0]['storage'], dataDir: string, publicUrl: string) {
  return openStorage({ storage, dataDir }, { publicUrl, sealingKeys, clock: systemClock });
}

async function serveFromDisk(folder: string) {
  const media = await serveMedia((publicUrl) => open({ kind: 'disk', folder }, folder, publicUrl));
  const upload = { contentType: 'video/mp4', expiresAt: new Date(systemClock.now().getTime() + 600_000) };
  const addressesOf = async (key: string) => ({
    uploadUrl: await media.storage.uploadUrl(key, upload),
    publicUrl: media.storage.publicUrl(key),
  });
  return {
    first: await addressesOf('videos/1799999999999-0-0123abcd-first.mp4'),
    large: await addressesOf('videos/1799999999999-0-0123abcd-large.mp4'),
  };
}

async function writeToBucket(endpoint: string, folder: string) {
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  const bucket = {
    kind: 's3',
    bucket: 'media',
    region: 'eu-central-1',
    endpoint,
    credentials,
    publicUrl: null,
  } as const;
  const storage = open(bucket, folder, 'http://crier.test');
  const write = (megabytes: number) =>
    storage.write('videos/1799999999999-0-0123abcd-large.mp4', zeros(megabytes), { contentType: 'video/mp4' });
  await write(20);
  return write;
}

async function* zeros(megabytes: number) {
  const piece = Buffer.alloc(megabyte / 16);
  for (let sent = 0; sent < megabytes * 16; sent += 1) yield piece;
}

function watchGrowth() {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 10);
  return () => Math.round((most - before) / megabyte);
}

if (job === 'disk') {
  let grownMegabytes = () => 0;
  process.on('message', (message) => {
    if (message === 'watch') grownMegabytes = watchGrowth();
    process.send!(grownMegabytes());
  });
  process.send!(await serveFromDisk(args[0]!));
} else {
  const write = await writeToBucket(args[0]!, args[1]!);
  const grownMegabytes = watchGrowth();
  await write(256);
  process.send!(grownMegabytes(), () => process.exit());
}
