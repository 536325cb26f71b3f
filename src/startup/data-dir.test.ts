import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/support/database/temporary-server.ts';
import { ensureDataDir } from './data-dir.ts';

const embedded = { databaseUrl: null };
const external = { databaseUrl: 'postgres://db.example.com/crier' };
const isRoot = process.getuid?.() === 0;

async function aFolder(): Promise<string> {
  const temporary = await temporaryFolder();
  onTestFinished(() => temporary.remove());
  return join(temporary.path, 'data');
}
const modeOf = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);

test('a new data folder is closed to other users; as root, the embedded server may pass through', async () => {
  const dataDir = await aFolder();
  await ensureDataDir({ dataDir, ...external });
  expect(await modeOf(dataDir)).toBe('700');
  await ensureDataDir({ dataDir, ...embedded });
  expect(await modeOf(dataDir)).toBe(isRoot ? '711' : '700');
});

test('a data folder that was open to others is closed, with all that Crier keeps in it, and nothing else', async () => {
  const dataDir = await aFolder();
  await mkdir(join(dataDir, 'media'), { recursive: true });
  await mkdir(join(dataDir, 'others'));
  for (const name of ['secret.key', 'demo.json']) await writeFile(join(dataDir, name), 'a secret');
  for (const name of ['.', 'media', 'others', 'secret.key', 'demo.json']) await chmod(join(dataDir, name), 0o777);
  await ensureDataDir({ dataDir, ...external });
  const modes = ['.', 'media', 'secret.key', 'demo.json', 'others'].map((name) => modeOf(join(dataDir, name)));
  expect(await Promise.all(modes)).toEqual(['700', '700', '600', '600', '777']);
});

test('a folder that others share, such as /tmp, is refused and left as it is', async () => {
  const dataDir = await aFolder();
  await mkdir(dataDir);
  await chmod(dataDir, 0o1777);
  await expect(ensureDataDir({ dataDir, ...embedded })).rejects.toThrow('Other users share the folder');
  expect(await modeOf(dataDir)).toBe('1777');
});
