import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/support/database/temporary-server.ts';
import { flatWebp } from '../../../../test/support/files/bombs.ts';
import { runImageJob } from './run-job.ts';

const megabyte = 1_048_576;
const roomy = { signal: new AbortController().signal, maxMemoryBytes: 1_024 * megabyte };

let folder: TemporaryFolder;
let small: string;
let large: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  [small, large] = [join(folder.path, 'small.webp'), join(folder.path, 'large.webp')];
  await writeFile(small, flatWebp(10, 10));
  await writeFile(large, flatWebp(4_000, 4_000));
});
afterAll(() => folder.remove());

const checkSmall = () => runImageJob('checkImage', [small, 'webp'], roomy);
const found = { width: 10, height: 10, frames: 1 };

test('a job that needs too much memory ends only its process, and the next job gets a new one', async () => {
  const tight = { ...roomy, maxMemoryBytes: 100 * megabyte };
  const job = runImageJob('toJpeg', [large, { maxBytes: 10 * megabyte }], tight);
  await expect(job).rejects.toMatchObject({ name: 'JobProcessEnded' });
  expect(await checkSmall()).toEqual(found);
});

test('a job that needs too much CPU time ends only its process', async () => {
  const job = runImageJob('toJpeg', [large, { maxBytes: 1 }], { ...roomy, maxCpuMs: 100 });
  await expect(job).rejects.toMatchObject({ name: 'JobProcessEnded' });
  expect(await checkSmall()).toEqual(found);
});

test('a job that is aborted has ended when it rejects', async () => {
  await checkSmall();
  const stop = new AbortController();
  const job = runImageJob('toJpeg', [large, { maxBytes: 1 }], { ...roomy, signal: stop.signal });
  stop.abort(new Error('too late'));
  await expect(job).rejects.toThrow('too late');
  await expect(runImageJob('isTurned', [small], { ...roomy, signal: stop.signal })).rejects.toThrow('too late');
  expect(await checkSmall()).toEqual(found);
});
