import { expect, test } from 'vitest';
import { json } from './http/http-response.ts';
import { createRouter } from './http/router.ts';
import type { Route, SandboxPlatform } from './platform.ts';

test('the router distinguishes fixed paths, parameters, parameters within a segment and a rest', () => {
  const route = createRouter([makePlatform('one', ['/a/me', '/a/:id', '/bot:token/:name', '/files/*'])]);
  expect(route('GET', 'one.test', '/a/me')).toMatchObject({ route: { path: '/a/me' }, params: {} });
  expect(route('GET', 'one.test', '/a/x%2Fy')).toMatchObject({ params: { id: 'x/y' } });
  expect(route('GET', 'one.test', '/bot12:ab/sendMessage')).toMatchObject({
    params: { token: '12:ab', name: 'sendMessage' },
  });
  expect(route('GET', 'one.test', '/files/a/b')).toMatchObject({ params: { rest: 'a/b' } });
  expect(route('GET', 'one.test', '/a/x/y')?.route).toBeUndefined();
  expect(route('POST', 'one.test', '/a/me')?.route).toBeUndefined();
  expect(route('GET', 'elsewhere.test', '/a/me')).toBeUndefined();
});

test('two platforms may share a host: the one with the path serves the request', () => {
  const route = createRouter([makePlatform('one', ['/a']), makePlatform('two', ['/b'], 'one.test')]);
  expect(route('GET', 'one.test', '/b')?.platform.id).toBe('two');
  expect(route('GET', 'one.test', '/c')).toMatchObject({ platform: { id: 'one' }, route: undefined });
});

function makePlatform(id: string, paths: string[], host = `${id}.test`): SandboxPlatform {
  const error = () => json({}, 500);
  return {
    id,
    name: id,
    servesHost: (asked) => asked === host,
    routes: paths.map((path): Route => ({ method: 'GET', path, operation: 'other', handle: () => json({}) })),
    errors: { status: error, rateLimited: error, expiredToken: error },
    accounts: {
      handleRule: '',
      normalize: (handle) => handle,
      describe: () => ({ id: '1', displayName: '', avatarUrl: null, profileUrl: null, data: {} }),
      credentials: () => ({}),
    },
  };
}
