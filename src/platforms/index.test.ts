import { expect, test } from 'vitest';
import { connectables, platformFor, platformIds, platforms } from './index.ts';

test('every platform is registered under its own id', () => {
  for (const [id, platform] of Object.entries(connectables)) expect(platform.id).toBe(id);
});

test('every platform but Pinterest can be posted to', () => {
  expect(Object.keys(connectables)).toEqual([...platformIds, 'pinterest']);
  expect(Object.keys(platforms)).toEqual(platformIds);
});

test('a platform that can be posted to is found under its id', () => {
  for (const id of platformIds) expect(platformFor(id)).toBe(platforms[id]);
});

test.for(['pinterest', '', 'constructor', '__proto__'])('%j is no platform that can be posted to', (id) => {
  expect(platformFor(id)).toBeNull();
});
