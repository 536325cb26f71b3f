import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createFiles } from './files.ts';

const bytes = Buffer.from('some bytes of a video');
const sha256 = createHash('sha256').update(bytes).digest('hex');

test('chunks appended under a name become one file with its size and hash', async () => {
  const files = createFiles(temporaryFolder());
  expect(files.append('upload/1', bytes.subarray(0, 5))).toBe(5);
  expect(files.append('upload/1', bytes.subarray(5))).toBe(bytes.length);
  expect(await files.finish('upload/1')).toEqual({ sha256, bytes: bytes.length });
  expect(readFileSync(files.path(sha256)).equals(bytes)).toBe(true);
  expect((await files.head(sha256, 4)).toString()).toBe('some');
});

test('a streamed body and a saved buffer with the same bytes are one file', async () => {
  const folder = temporaryFolder();
  const files = createFiles(folder);
  expect(await files.saveStream(Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]))).toEqual(files.save(bytes));
  expect(readdirSync(folder)).toEqual([sha256]);
});

test('an interrupted stream leaves nothing behind', async () => {
  const folder = temporaryFolder();
  const broken = new Readable({ read: () => broken.destroy(new Error('gone')) });
  await expect(createFiles(folder).saveStream(broken)).rejects.toThrow('gone');
  expect(readdirSync(folder)).toEqual([]);
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'crier-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
