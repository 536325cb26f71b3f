import { truncate, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../../test/support/database/temporary-server.ts';
import { inspectFiles } from './local-files.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const picture = () => sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } });

test.each(['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif'] as const)('a %s is known by its bytes', async (format) => {
  const bytes = await picture().toFormat(format).toBuffer();
  const file = `${folder.path}/misnamed-${format}.mp4`;
  await writeFile(file, bytes);
  expect(await inspectFiles([file])).toEqual([{ file, type: `image/${format}`, bytes: bytes.length }]);
});

const fixture = (name: string) => fileURLToPath(new URL(`../../test/fixtures/inspection/${name}`, import.meta.url));

test.each([
  ['faststart.mp4', 'video/mp4'],
  ['fragmented.mp4', 'video/mp4'],
  ['rotated.mov', 'video/quicktime'],
  ['h264.mkv', 'video/x-matroska'],
  ['vp8.webm', 'video/webm'],
  ['mpeg4.avi', 'video/x-msvideo'],
  ['small.heic', 'image/heic'],
])('%s is a %s', async (name, type) => {
  expect(await inspectFiles([fixture(name)])).toMatchObject([{ type }]);
});

test('a PDF is known, and a text is nothing that a network takes', async () => {
  const files = [`${folder.path}/slides`, `${folder.path}/notes.jpg`] as const;
  await writeFile(files[0], '%PDF-1.7\n');
  await writeFile(files[1], 'no image');
  expect(await inspectFiles(files)).toMatchObject([{ type: 'application/pdf' }, { type: null }]);
});

test('a video of any size is looked at without being read', async () => {
  const file = `${folder.path}/large.mp4`;
  await writeFile(file, '\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1');
  await truncate(file, 5_000_000_000);
  expect(await inspectFiles([file])).toEqual([{ file, type: 'video/mp4', bytes: 5_000_000_000 }]);
});

test('what is missing, a folder or empty is said before anything is sent', async () => {
  const empty = `${folder.path}/empty.png`;
  await writeFile(empty, '');
  await expect(inspectFiles([`${folder.path}/none.png`])).rejects.toThrow('none.png is not a file.');
  await expect(inspectFiles([folder.path])).rejects.toThrow('is not a file.');
  await expect(inspectFiles([empty])).rejects.toThrow('empty.png is empty.');
});
