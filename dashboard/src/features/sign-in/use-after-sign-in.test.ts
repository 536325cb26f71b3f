import { describe, expect, test } from 'vitest';
import { whereNext } from './use-after-sign-in.ts';

describe('after signing in', () => {
  test.each(['/', '/channels', '/posts?status=failed&q=//x', '/compose#a'])('redirects to %s', (next) => {
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
  ])('never redirects to another site for %j', (next) => {
    expect(whereNext(next)).toBe('/');
  });
});
