import type { PlatformLimits } from '@crier/client';
import { expect, test } from 'vitest';
import { areaWith, cropRatios } from './ratios.ts';

const limits = (platform: string, range?: { min: number; max: number }) =>
  ({ platform, images: range ? { aspectRatioRange: range } : {} }) as PlatformLimits;
const instagram = limits('instagram', { min: 0.8, max: 1.91 });

test('ratios name the networks that accept them, those that all accept first', () => {
  const ratios = cropRatios([limits('bluesky'), instagram, instagram]);
  expect(ratios.map(({ label }) => label)).toEqual(['1:1', '4:5', '16:9', '1.91:1', '9:16']);
  expect(ratios[0]).toMatchObject({ accepting: ['bluesky', 'instagram'], refusing: [] });
  expect(ratios.at(-1)).toMatchObject({ accepting: ['bluesky'], refusing: ['instagram'] });
  expect(cropRatios([]).map(({ label }) => label)).toEqual(['1:1', '4:5', '9:16', '16:9', '1.91:1']);
});

test('another ratio keeps to the middle of what was chosen, within the picture', () => {
  const picture = { width: 400, height: 300 };
  expect(areaWith(1, picture, null)).toEqual({ x: 50, y: 0, width: 300, height: 300 });
  const right = { x: 300, y: 0, width: 100, height: 300 };
  expect(areaWith(1, picture, right)).toEqual({ x: 100, y: 0, width: 300, height: 300 });
  expect(areaWith(16 / 9, picture, { x: 0, y: 0, width: 100, height: 20 })).toMatchObject({ y: 0, height: 225 });
});
