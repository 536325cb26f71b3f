import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog, temporaryFolder } from '../../test/support/temporary-server.ts';
import { openEmbedded } from './embedded.ts';

// Every run of these tests starts an embedded server and stops it at its end; its life cycle is in embedded.slow.test.ts.
test('a folder that holds something else is left alone', async () => {
  const temporary = await temporaryFolder();
  onTestFinished(() => temporary.remove());
  const folder = join(temporary.path, 'postgres');
  await mkdir(folder);
  await writeFile(join(folder, 'diary.txt'), 'dear diary');
  await expect(openEmbedded({ folder, log: silentLog })).rejects.toThrow(
    "holds something that is not Crier's database",
  );
  expect(await readdir(folder)).toEqual(['diary.txt']);
});
