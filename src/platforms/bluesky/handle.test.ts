import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyString, anyUrl } from '../../../test/support/any-string.ts';
import { handleFrom, isDid, isHandle } from './handle.ts';

test.for([
  'ann.bsky.social',
  '@ann.bsky.social',
  '  @Ann.Bsky.Social\n',
  'ann',
  '@Ann',
  'https://bsky.app/profile/ann.bsky.social',
  'bsky.app/profile/ann.bsky.social/post/3l2s5xxv2ze2c?x#y',
  '\u202a@ann.bsky.social\u202c',
  'ann.bsky.social\u200b',
])('%j is ann.bsky.social', (typed) => {
  expect(handleFrom(typed)).toBe('ann.bsky.social');
});

test('another domain is kept', () => {
  expect(handleFrom('@Ann.Example.COM')).toBe('ann.example.com');
});

test('a DID is kept', () => {
  expect(handleFrom('https://bsky.app/profile/did:plc:abc234')).toBe('did:plc:abc234');
});

test.for([
  '',
  '@',
  'ann@example.com',
  'two words.example',
  'ann.example.1',
  '-ann.example',
  'ann..example',
  '127.0.0.1',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(130)}example`,
])('%j is not a handle', (typed) => {
  expect(isHandle(handleFrom(typed))).toBe(false);
});

test.for(['did:plc:ewvi7nxzyoun6zhxrhs64oiz', 'did:web:ann.example.com'])('%s is a DID', (text) => {
  expect(isDid(text)).toBe(true);
});

test.for([
  'did:',
  'did:plc:',
  'did:plc:a/b',
  'did:plc:a?b',
  'did:web:',
  'did:web:localhost',
  'did:web:a.example/x',
  'did:web:127.0.0.1',
  'did:key:zabc',
  'ann.example.com',
])('%j is not a DID', (text) => {
  expect(isDid(text)).toBe(false);
});

test('every accepted handle is the host of its own address', () => {
  fc.assert(
    fc.property(fc.oneof(anyString(), fc.domain(), anyUrl(), fc.emailAddress()), (typed) => {
      const handle = handleFrom(typed);
      if (isHandle(handle)) expect(new URL(`https://${handle}/x`).host).toBe(handle);
    }),
  );
});

test('a text of any length is read in one pass', () => {
  expect(handleFrom(`${'/'.repeat(1_000_000)}\u2028x`)).toBe('');
});
