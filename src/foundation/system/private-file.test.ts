import { execFileSync } from 'node:child_process';
import { chmod, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/database/temporary-server.ts';
import { writePrivateFile } from './private-file.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;
const aReadableFile = async (name: string) => {
  const file = join(folder.path, name);
  await writeFile(file, 'before');
  await chmod(file, 0o644);
  return file;
};

test('a file that others can read is replaced, and who has it open sees nothing of the new content', async () => {
  const file = await aReadableFile('open');
  const opened = await open(file);
  onTestFinished(() => opened.close());
  await writePrivateFile(file, (path) => writeFile(path, 'after'));
  expect([await modeOf(file), await readFile(file, 'utf8'), await opened.readFile('utf8')]).toEqual([
    0o600,
    'after',
    'before',
  ]);
});

test('a write that fails leaves the file as it was, and nothing beside it', async () => {
  const file = await aReadableFile('failing');
  const failing = writePrivateFile(file, () => Promise.reject(new Error('Out of paper')));
  await expect(failing).rejects.toThrow('Out of paper');
  expect(await readFile(file, 'utf8')).toBe('before');
  expect((await readdir(folder.path)).filter((name) => name.startsWith('failing'))).toEqual(['failing']);
});

test('a pipe is written to as it is', async () => {
  const pipe = join(folder.path, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  const received = readFile(pipe, 'utf8');
  await writePrivateFile(pipe, (path) => writeFile(path, 'through'));
  expect(await received).toBe('through');
});
