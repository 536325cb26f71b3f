import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { sealingKey } from '../lib/seal.ts';
import { systemClock } from '../time/clock.ts';
import { openStorage } from './open-storage.ts';

const around = {
  publicUrl: 'https://crier.example.com',
  sealingKeys: { current: sealingKey('01'.repeat(32)), previous: [] },
  clock: systemClock,
};
const key = 'images/1799999999999-0-0123abcd-a.png';
const upload = { contentType: 'image/png', expiresAt: new Date(Date.now() + 60_000) };

test('without configuration, uploads go to this service', async () => {
  const storage = openStorage(readConfig({}), around);
  expect(await storage.uploadUrl(key, upload)).toMatch(`https://crier.example.com/media/upload/${key}?`);
  expect(storage.publicUrl(key)).toBe(`https://crier.example.com/media/${key}`);
});

test('with a bucket, uploads go to the bucket', async () => {
  const STORAGE_URL = 's3://my-media?endpoint=https://s3.example.com&accessKeyId=id&secretAccessKey=secret';
  const storage = openStorage(readConfig({ STORAGE_URL }), around);
  expect(await storage.uploadUrl(key, upload)).toMatch(`https://s3.example.com/my-media/${key}?`);
});

test('a service with media on disk does not load the AWS SDK', () => {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { openStorage } = await import('./open-storage.ts');
    openStorage({ storage: { kind: 'disk', folder: '/' }, dataDir: '/' }, {});
    console.log(loaded.length > 3, loaded.filter((url) => url.includes('@aws-sdk') || url.includes('@smithy')));
  `;
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], options)).toBe('true []\n');
});
