import { describe, expect, test } from 'vitest';
import { signUpObstacle } from '../src/features/sign-in/sign-up-obstacle.ts';
import { whereNext } from '../src/features/sign-in/where-next.ts';

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
  ])('nobody gets to another site by %j', (next) => {
    expect(whereNext(next)).toBe('/');
  });
});

describe('somebody who wants an account', () => {
  test.each([
    ['open', undefined, null],
    [undefined, undefined, null],
    ['closed', undefined, expect.stringContaining('closed')],
    ['invite', undefined, expect.stringContaining('invitation')],
    ['invite', 'token', null],
  ] as const)('where sign-up is %s, with the invitation %s', (signUp, invitation, obstacle) => {
    expect(signUpObstacle(signUp, invitation)).toEqual(obstacle);
  });
});
