import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { sendHeartbeat } from '../publishing/heartbeat-queries.ts';
import { warnOfSeveralSandboxes } from './several-sandboxes.ts';

test('a worker beside one with a sandbox of its own is warned of, and a worker alone is not', async () => {
  const { app, close } = await testApp();
  onTestFinished(close);
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const beat = (id: string) => sendHeartbeat(app.db, { id, lanes: [], dispatchedAt: null }, 60);

  await beat(app.workerId);
  await warnOfSeveralSandboxes({ ...app, log });
  expect(lines).toEqual([]);

  await beat('b');
  await warnOfSeveralSandboxes({ ...app, log });
  expect(lines).toEqual([expect.stringContaining('a sandbox of its own')]);
});
