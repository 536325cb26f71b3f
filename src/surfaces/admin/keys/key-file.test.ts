import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../../../test/support/database/temporary-server.ts';
import { writeKeyCopy } from './key-file.ts';

const [first, second] = ['1a'.repeat(32), '2b'.repeat(32)] as const;
let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

test('a copy of the keys keeps those of earlier backups, which a rotation has removed', async () => {
  const file = join(folder.path, 'crier.key');
  await writeKeyCopy(file, [first]);
  await writeKeyCopy(file, [second]);
  await writeKeyCopy(file, [second]);
  expect(await readFile(file, 'utf8')).toBe(`${second}\n${first}\n`);
});

test('another file is not replaced with the keys', async () => {
  const file = join(folder.path, 'letter.txt');
  await writeFile(file, 'Dear Ann\n');
  await expect(writeKeyCopy(file, [first])).rejects.toThrow('The file exists, and is not a key file.');
  expect(await readFile(file, 'utf8')).toBe('Dear Ann\n');
});

test('an empty file is', async () => {
  const file = join(folder.path, 'empty');
  await writeFile(file, '');
  await writeKeyCopy(file, [first]);
  expect(await readFile(file, 'utf8')).toBe(`${first}\n`);
});
