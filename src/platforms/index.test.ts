import { expect, test } from 'vitest';
import { platformFor, platforms } from './index.ts';
import { platformIds } from './kit/index.ts';

test('every platform is registered under its own id', () => {
  for (const [id, platform] of Object.entries(platforms)) {
    expect(platform.id).toBe(id);
    expect(platformFor(id)).toBe(platform);
  }
});

test('every network that we name is registered', () => {
  expect(Object.keys(platforms).sort()).toEqual([...platformIds].sort());
});

test.for(['pinterest', '', 'constructor', '__proto__'])('%j is no platform', (id) => {
  expect(platformFor(id)).toBeNull();
});
