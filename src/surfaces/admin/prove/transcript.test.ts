import { chmod, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../test/support/database/temporary-server.ts';
import { readTranscript, type Transcript, writeTranscript } from './transcript.ts';

test('a transcript can be read by its owner alone, also where a file was that others could read', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'transcript.json');
  await writeFile(file, '');
  await chmod(file, 0o644);
  const about = { network: 'mastodon', mode: 'sandbox' as const, version: '0.1.0', at: '2027-03-04T05:06:07Z' };
  const transcript: Transcript = { ...about, verdicts: [], exchanges: [] };
  await writeTranscript(file, transcript);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readTranscript(file)).toEqual(transcript);
});
