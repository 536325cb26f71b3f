import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/support/database/temporary-server.ts';
import { flatWebp } from '../../../../test/support/files/bombs.ts';

const megabyte = 1_048_576;

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

test('a signal to the process group does not interrupt a job', async () => {
  const program = `
    import { runImageJob } from './run-job.ts';
    import { readFileSync } from 'node:fs';
    const limits = { signal: new AbortController().signal, maxMemoryBytes: ${1_024 * megabyte} };
    await runImageJob('isTurned', [${JSON.stringify(small)}], limits);
    const job = runImageJob('checkImage', [${JSON.stringify(large)}, 'webp'], limits);
    const child = Number(readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8'));
    for (const signal of ['SIGINT', 'SIGTERM']) process.kill(child, signal);
    console.log((await job).width);
  `;
  const service = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: import.meta.dirname });
  expect(await text(service.stdout)).toBe('4000\n');
});

test('processes end with the service, even if it is killed during a job', async () => {
  const program = `
    import { runImageJob } from './run-job.ts';
    import { readFileSync } from 'node:fs';
    const limits = { signal: new AbortController().signal, maxMemoryBytes: ${1_024 * megabyte} };
    await runImageJob('isTurned', [${JSON.stringify(small)}], limits);
    runImageJob('toJpeg', [${JSON.stringify(large)}, { maxBytes: 1 }], limits);
    console.log(readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim());
    setImmediate(() => process.kill(process.pid, 'SIGKILL'));
  `;
  const service = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: import.meta.dirname });
  const ended = once(service, 'exit');
  const child = (await text(service.stdout)).trim();
  expect(child).toMatch(/^\d+$/);
  expect((await ended)[1]).toBe('SIGKILL');
  await expect.poll(() => existsSync(`/proc/${child}`)).toBe(false);
});

test.runIf(process.platform === 'linux')('all threads of a job yield to the service', async () => {
  const program = `
    import { runImageJob } from './run-job.ts';
    import { readdirSync, readFileSync } from 'node:fs';
    import { getPriority } from 'node:os';
    import { setTimeout as sleep } from 'node:timers/promises';
    const limits = { signal: new AbortController().signal, maxMemoryBytes: ${1_024 * megabyte} };
    await runImageJob('isTurned', [${JSON.stringify(small)}], limits);
    const child = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim();
    const threads = () => readdirSync('/proc/' + child + '/task');
    const before = threads().length;
    let isOver = false;
    const job = runImageJob('toJpeg', [${JSON.stringify(large)}, { maxBytes: ${megabyte} }], limits);
    job.finally(() => { isOver = true; });
    while (threads().length === before && !isOver) await sleep(1);
    console.log(JSON.stringify({ decoders: threads().length - before, priorities: threads().map((id) => getPriority(Number(id))) }));
    await job;
  `;
  const service = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: import.meta.dirname });
  const { decoders, priorities } = JSON.parse(await text(service.stdout));
  expect(decoders).toBeGreaterThan(0);
  expect(new Set(priorities)).toEqual(new Set([10]));
});
