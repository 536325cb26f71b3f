import { describe, expect, test } from 'vitest';
import { whereNext } from './use-after-sign-in.ts';

describe('after signing in', () => {
  test.each(['/', '/channels', '/posts?status=failed&q=//x', '/compose#a'])('one gets to %s', (next) => {
    expect(whereNext(next)).toBe(next);
  });

  test.each([
    undefined,
    '',
    'channels',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example/',
    '/\t/evil.example/',
    '/\n/evil.example/',
    'javascript:alert(1)',
    '///[',
  ])('no one gets to another site by %j', (next) => {
    expect(whereNext(next)).toBe('/');
  });
});
