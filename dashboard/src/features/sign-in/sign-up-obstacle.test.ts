import { describe, expect, test } from 'vitest';
import { signUpObstacle } from './sign-up-obstacle.ts';

describe('a person who wants an account', () => {
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
