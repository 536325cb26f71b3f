import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { removeAbandonedFolders, temporaryFolder } from './temporary-folder.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** A process that has created a folder with a file in it. */
async function aProcess() {
  const module = new URL('./temporary-folder.ts', import.meta.url).href;
  const program = `
    import { writeFileSync } from 'node:fs';
    const { temporaryFolder } = await import(${JSON.stringify(module)});
    const { path } = await temporaryFolder('rendition');
    writeFileSync(path + '/image', 'pixels');
    console.log(path);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [printed] = await once(child.stdout!, 'data');
  return { child, path: String(printed).trim() };
}

test('a start deletes the folders of killed processes, and leaves those of running ones alone', async () => {
  const [killed, running] = await Promise.all([aProcess(), aProcess()]);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  expect([existsSync(killed.path), existsSync(running.path)]).toEqual([true, true]);
  await removeAbandonedFolders();
  expect([existsSync(killed.path), existsSync(running.path)]).toEqual([false, true]);
  running.child.kill('SIGKILL');
  await once(running.child, 'exit');
  await removeAbandonedFolders();
  expect(existsSync(running.path)).toBe(false);
});

test('a folder of an earlier process with the same number is deleted, as after the restart of a container', async () => {
  const { path } = await temporaryFolder('rendition');
  await removeAbandonedFolders();
  expect(existsSync(path)).toBe(false);
});
