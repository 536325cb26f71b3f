import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../test/support/database/temporary-server.ts';
import { openLog } from './log.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

async function logged(name: string, isTerminal?: boolean) {
  const file = join(folder.path, name);
  const output = openSync(file, 'w');
  const log = await openLog('info', output, isTerminal);
  log.warn({ userId: 'u1', account: { apiKey: 'sk_secret' } }, 'not published');
  log.debug('unimportant');
  closeSync(output);
  return readFileSync(file, 'utf8');
}

test('the log is JSON lines where it is not a terminal, without keys', async () => {
  const text = await logged('json');
  expect(JSON.parse(text)).toEqual({
    level: 40,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    userId: 'u1',
    account: { apiKey: '[Redacted]' },
    msg: 'not published',
  });
});

test('the log has lines for people on a terminal, without keys', async () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with this character.
  const text = (await logged('terminal', true)).replace(/\x1b\[\d+m/g, '');
  expect(text).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: not published\n {4}userId: "u1"\n/);
  expect(text).not.toContain('sk_secret');
  expect(text).not.toContain('unimportant');
});
