import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../test/support/database/temporary-server.ts';
import { openSentRows } from './sent-rows.ts';

let parent: TemporaryFolder;
let folder: string;
let made = 0;
beforeAll(async () => {
  parent = await temporaryFolder();
});
afterAll(() => parent.remove());
beforeEach(() => {
  made += 1;
  folder = `${parent.path}/${made}/sent`;
});

const dayMs = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
const today = () => dayBefore(0);
const isSent = async (...keys: string[]) => {
  const { firstSent } = await openSentRows(folder);
  return keys.map((key) => firstSent(key) !== undefined);
};

test('a row is remembered with the time when it was first sent', async () => {
  const before = Date.now();
  await (await openSentRows(folder)).sending(['a', 'b']);
  const first = (await openSentRows(folder)).firstSent('a')!;
  expect(first).toBeGreaterThanOrEqual(before);
  await writeFile(`${folder}/${dayBefore(1)}`, `\n${first - dayMs} earlier a sent`);
  await (await openSentRows(folder)).sending(['a']);
  const { firstSent } = await openSentRows(folder);
  expect([firstSent('a'), firstSent('c')]).toEqual([first - dayMs, undefined]);
});

test('a refused row is forgotten, unless another run has sent it', async () => {
  const [one, two] = [await openSentRows(folder), await openSentRows(folder)];
  await one.sending(['a', 'b']);
  await two.sending(['a']);
  await one.refused('a');
  await one.refused('b');
  expect(await isSent('a', 'b')).toEqual([true, false]);
});

test('imports that run at the same time keep the rows of all', async () => {
  const keysOf = (run: number) => Array.from({ length: 500 }, (_, n) => `${run}-${n}`);
  const runs = Array.from({ length: 8 }, (_, run) => keysOf(run));
  await Promise.all(
    runs.map(async (keys) => {
      const rows = await openSentRows(folder);
      for (let at = 0; at < keys.length; at += 50) await rows.sending(keys.slice(at, at + 50));
    }),
  );
  expect(new Set(await isSent(...runs.flat()))).toEqual(new Set([true]));
});

test('an incomplete line does not spoil the next one', async () => {
  await (await openSentRows(folder)).sending(['a']);
  await appendFile(`${folder}/${today()}`, `\n${Date.now()} broken b`);
  await (await openSentRows(folder)).sending(['c']);
  expect(await isSent('a', 'b', 'c')).toEqual([true, false, true]);
});

test('rows are forgotten after 90 days, and other files stay', async () => {
  await mkdir(folder, { recursive: true });
  for (const days of [89, 91]) {
    await writeFile(`${folder}/${dayBefore(days)}`, `\n${Date.now() - days * dayMs} run ${days} sent`);
  }
  await writeFile(`${folder}/notes`, '');
  expect(await isSent('89', '91')).toEqual([true, false]);
  expect(await readdir(folder)).toEqual([dayBefore(89), 'notes']);
});

test('the oldest days are deleted when there are too many rows, but never the newest', async () => {
  await mkdir(folder, { recursive: true });
  const line = `\n${Date.now()} run many sent`;
  for (const days of [1, 2, 3]) {
    const content = `\n${Date.now()} run ${days} sent${line.repeat(days === 2 ? 33_000_000 / line.length : 1)}`;
    await writeFile(`${folder}/${dayBefore(days)}`, content);
  }
  expect(await isSent('1', '2', '3')).toEqual([true, true, false]);
  expect(await readdir(folder)).toEqual([dayBefore(2), dayBefore(1)]);
});

test('a folder that cannot be read ends the import', async () => {
  await mkdir(`${folder}/${today()}`, { recursive: true });
  await expect(openSentRows(folder)).rejects.toThrow('EISDIR');
});
