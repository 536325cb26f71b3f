import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../../test/support/database/postgres.ts';
import { lockDataDir } from './data-dir-lock.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('a process killed with -9 leaves no lock behind', async () => {
  const holder = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { lockDataDir } from ${JSON.stringify(new URL('./data-dir-lock.ts', import.meta.url).href)};
    console.log(await lockDataDir(${JSON.stringify(database.url)}, '/killed/data') ? 'locked' : 'refused');
    setInterval(() => {}, 1000);`,
  ]);
  const [output] = await once(holder.stdout, 'data');
  expect(String(output)).toBe('locked\n');
  holder.kill('SIGKILL');
  const next = await lockDataDir(database.url, '/killed/data');
  expect(next).not.toBeNull();
  await next?.release();
});

test('a lock does not keep the process alive', async () => {
  const holder = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { lockDataDir } from ${JSON.stringify(new URL('./data-dir-lock.ts', import.meta.url).href)};
    await lockDataDir(${JSON.stringify(database.url)}, '/left/data');`,
  ]);
  const [code] = await once(holder, 'exit');
  expect(code).toBe(0);
});
