import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { platforms } from './index.ts';

describe('the platforms', () => {
  test('every folder is registered under its name', () => {
    const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(platforms.map(({ id }) => id).toSorted()).toEqual(folders.toSorted());
  });

  test.each(platforms)('$id states which handles it accepts', ({ accounts }) => {
    expect(accounts.normalize('ann')).not.toBeNull();
    expect(accounts.normalize('not a handle')).toBeNull();
    expect(accounts.handleRule).toMatch(/^A handle has .*\.$/);
  });

  test.each(platforms)('$id has no route twice', ({ routes }) => {
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    expect(names).toEqual([...new Set(names)]);
  });
});
