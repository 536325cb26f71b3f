import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tinyPng } from '../test-media.ts';
import { startTestSandbox } from '../testing.ts';

const day = 86_400_000;

test('posts and files are deleted after the days that they are kept, and accounts stay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crier-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let time = Date.now();
  const start = (keepDays: number | null) => startTestSandbox({ folder, now: () => time, keepDays });

  const first = await start(null);
  const ann = await first.account('ann');
  await ann.upload(tinyPng);
  await ann.publish({ status: 'old' });
  time += 10 * day;
  await ann.publish({ status: 'new' });
  await first.close();

  const kept = await start(null);
  expect(await kept.posts()).toHaveLength(2);
  await kept.close();

  const pruned = await start(7);
  expect(await pruned.posts()).toMatchObject([{ text: 'new' }]);
  expect(readdirSync(join(folder, 'media'))).toEqual([]);
  expect((await (await pruned.account('ann')).get('/api/v1/accounts/verify_credentials')).status).toBe(200);
});
