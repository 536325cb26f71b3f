import { expect, test } from 'vitest';
import { loggedPath } from './logged-path.ts';

test.for([
  ['/api/v1/list-posts?limit=2', '/api/v1/list-posts'],
  ['/connect/s3cret', '/connect/[token]'],
  ['/connect/s3cret/?x=1', '/connect/[token]/'],
  ['/connect/s3cret/choices/1', '/connect/[token]/choices/1'],
  ['//Connect//s3cret', '//Connect//[token]'],
  ['/%63onnect/s3cret', '/connect/[token]'],
  ['/c%6Fnn%65ct/s3cret/choices/1', '/connect/[token]/choices/1'],
  ['/connect%2fs3cret', '/connect/[token]'],
  ['/%2Fconnect/s3%63ret%3Fx%FF', '//connect/[token]'],
  ['/connect/', '/connect/'],
  ['/api/v1/connect/mastodon', '/api/v1/connect/mastodon'],
])('%s is logged as %s', ([url, path]) => {
  expect(loggedPath(url!)).toBe(path);
});

test('a path that is too long is cut, after its token was left out', () => {
  expect(loggedPath(`/${'a'.repeat(16_000)}?b`)).toBe(`/${'a'.repeat(999)}…`);
  expect(loggedPath(`/connect/${'s3cret'.repeat(1_000)}/choices`)).toBe('/connect/[token]/choices');
});
