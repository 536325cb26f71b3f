import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readMp4Metadata } from './media/mp4-metadata.ts';

test('the index of an MP4 gives its duration, frame size and frame rate', () => {
  const file = fileURLToPath(new URL('../src/surfaces/admin/prove/sample.mp4', import.meta.url));
  expect(readMp4Metadata(file)).toEqual({
    seconds: expect.closeTo(4, 0),
    width: 320,
    height: 180,
    framesPerSecond: expect.closeTo(30, 0),
  });
});
