import { spawnSync } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dataFolder, root, startCrier } from '../support/processes/crier.ts';
import { contextFiles, dockerfile } from './dockerfile.ts';

// `npm run test:image` builds the whole image.

test('what the Dockerfile copies by name is there and not ignored', async () => {
  const files = await contextFiles();
  const copied = (await dockerfile())
    .filter(({ instruction, argument }) => instruction === 'COPY' && !/^(--from|\. \.)/.test(argument))
    .flatMap(({ argument }) => argument.split(' ').slice(0, -1));
  expect(copied).toContain('package-lock.json');
  expect(copied.filter((file) => !files.includes(file))).toEqual([]);
});

test('Crier starts from the files of the image alone, and its health check tells whether it is ready', async () => {
  const folder = await dataFolder();
  onTestFinished(() => folder.remove());
  const app = join(folder.path, 'app');
  // Without the dashboard, which takes long to build.
  for (const file of (await contextFiles()).filter((name) => !name.startsWith('dashboard/'))) {
    await mkdir(dirname(join(app, file)), { recursive: true });
    await cp(join(root, file), join(app, file));
  }
  await symlink(join(root, 'node_modules'), join(app, 'node_modules'));

  const crier = await startCrier({ folder, checkout: app });
  const check = (await dockerfile()).find(({ instruction }) => instruction === 'HEALTHCHECK')!;
  const command = check.argument.replace(/^.*?CMD /, '');
  const health = (more: Record<string, string> = {}) => {
    const env = { PATH: process.env.PATH, DATA_DIR: folder.dataDir, PORT: new URL(crier.ready.url).port, ...more };
    return spawnSync('/bin/sh', ['-c', command], { cwd: app, env }).status;
  };
  expect([health(), health({ ROLES: 'worker' })]).toEqual([0, 0]);
  expect(await crier.stop()).toMatchObject({ code: 0 });
  expect([health(), health({ ROLES: 'worker' })]).toEqual([1, 1]);
});
