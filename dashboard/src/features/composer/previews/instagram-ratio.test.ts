import { expect, test } from 'vitest';
import { instagramRatio } from './instagram-ratio.ts';
import type { PreviewMedia } from './preview.ts';

const file = (kind: PreviewMedia['kind']) => [{ kind } as PreviewMedia];

test.each([
  ['a portrait', 'image', { width: 1080, height: 1350 }, 0.8],
  ['a picture that is too tall', 'image', { width: 900, height: 1600 }, 0.8],
  ['a landscape', 'image', { width: 1910, height: 1000 }, 1.91],
  ['a panorama', 'image', { width: 4000, height: 1000 }, 1.91],
  ['a reel', 'video', { width: 1080, height: 1920 }, 9 / 16],
  ['a picture that is still loading', 'image', null, 1],
] as const)('Instagram shows %s: %#', (_, kind, size, expected) => {
  expect(instagramRatio(file(kind), {}, size)).toBeCloseTo(expected);
});

test('a story fills the screen', () => {
  expect(instagramRatio(file('image'), { videoType: 'STORIES' }, { width: 1, height: 1 })).toBeCloseTo(9 / 16);
});
