import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBinaries, requireLinks } from './binaries.ts';

test('a package whose install script did not run says what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crier-binaries-'));
  try {
    await mkdir(join(folder, 'native/lib'), { recursive: true });
    const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' };
    await writeFile(join(folder, 'native/pg-symlinks.json'), JSON.stringify([link]));
    await writeFile(join(folder, link.source), '');
    await expect(requireLinks(folder)).rejects.toThrow(/--ignore-scripts\. Run npm rebuild/);
    await symlink('libpq.so.5.18', join(folder, link.target));
    await requireLinks(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the installed package is complete', async () => {
  expect(await findBinaries()).toMatchObject({ postgres: expect.any(String), initdb: expect.any(String) });
});
