import { expect, test } from 'vitest';
import { json } from './answer.ts';
import type { Network, Route } from './network.ts';
import { createRouter } from './router.ts';

test('a fixed path, a parameter, a parameter within a segment and a rest are told apart', () => {
  const route = createRouter([aNetwork('one', ['/a/me', '/a/:id', '/bot:token/:name', '/files/*'])]);
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

test('two networks may share a host: the one with the path answers', () => {
  const route = createRouter([aNetwork('one', ['/a']), aNetwork('two', ['/b'], 'one.test')]);
  expect(route('GET', 'one.test', '/b')?.network.id).toBe('two');
  expect(route('GET', 'one.test', '/c')).toMatchObject({ network: { id: 'one' }, route: undefined });
});

function aNetwork(id: string, paths: string[], host = `${id}.test`): Network {
  const error = () => json({}, 500);
  return {
    id,
    name: id,
    answersFor: (asked) => asked === host,
    routes: paths.map((path): Route => ({ method: 'GET', path, operation: 'other', handle: () => json({}) })),
    errors: { status: error, rateLimited: error, expiredToken: error },
    accounts: {
      normalize: (handle) => handle,
      describe: () => ({ id: '1', displayName: '', avatarUrl: null, profileUrl: null, data: {} }),
      credentials: () => ({}),
    },
  };
}
