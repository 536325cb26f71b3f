import { expect, test } from 'vitest';
import { isKnownPlatform } from '../dashboard/src/lib/platform-name.ts';
import { platformIds } from '../src/platforms/index.ts';

test('every network of the service has a name and a sign in the dashboard', () => {
  expect(platformIds.filter((id) => !isKnownPlatform(id))).toEqual([]);
});
