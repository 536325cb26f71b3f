import { describe, expect, test } from 'vitest';
import { signUpObstacle } from './sign-up-obstacle.ts';

describe('the sign-up obstacle', () => {
  test.each([
    ['open', undefined, null],
    [undefined, undefined, null],
    ['closed', undefined, expect.stringContaining('closed')],
    ['invite', undefined, expect.stringContaining('invitation')],
    ['invite', 'token', null],
  ] as const)('when sign-up is %s, with invitation %s', (signUp, invitation, obstacle) => {
    expect(signUpObstacle(signUp, invitation)).toEqual(obstacle);
  });
});
