import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { openSandbox } from './sandbox-thread.ts';

test('a folder that another sandbox uses is reported as such, without a stack', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'crier-thread-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = pino({ level: 'silent' });
  const config = readConfig({ DATA_DIR: folder, SANDBOX_PORT: '0' });
  const first = await openSandbox(config, log);
  try {
    await first.opened;
    const second = await openSandbox(config, log);
    await expect(second.opened).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^The sandbox did not start: database is locked\. .*SANDBOX_PORT/),
    });
    await second.stop();
  } finally {
    await first.stop();
  }
});
