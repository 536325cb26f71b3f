import { expect, test } from 'vitest';
import { coverSize } from './video-frame.ts';

test.each([
  [320, 180, { width: 640, height: 360 }],
  [1280, 720, { width: 1280, height: 720 }],
  [3840, 2160, { width: 1920, height: 1080 }],
  [720, 1280, { width: 720, height: 1280 }],
])('scales a frame of %i × %i to a valid cover size', (width, height, expected) => {
  expect(coverSize(width, height)).toEqual(expected);
});
