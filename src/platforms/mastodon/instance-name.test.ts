import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyString, anyUrl } from '../../../test/support/any-string.ts';
import { hostOf, isHost } from './instance-name.ts';

test.for([
  'mastodon.social',
  '  Mastodon.Social ',
  'https://mastodon.social',
  'https://mastodon.social/',
  'http://mastodon.social/about?x=1#y',
  'https://mastodon.social/@ann',
  'https://mastodon.social/@bob@other.example',
  'mastodon.social/@ann',
  '@ann@mastodon.social',
  'ann@mastodon.social',
  '@ann@MASTODON.social/',
  'mastodon.social.',
])('%s leads to mastodon.social', (typed) => {
  expect(hostOf(typed)).toBe('mastodon.social');
});

test('an international name is converted to its ASCII form', () => {
  expect(hostOf('@ann@Bücher.example')).toBe('xn--bcher-kva.example');
});

test.for([
  '',
  '@ann',
  'localhost',
  'mastodon',
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '2130706433',
  '[::1]',
  '[::ffff:10.0.0.1]',
  'mastodon.social:8443',
  'two words.example',
  '-a.example',
  'a..example',
  'a.example_b',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(130)}example`,
])('%j is not a server', (typed) => {
  expect(isHost(hostOf(typed))).toBe(false);
});

test('every accepted server name is the host of its own address', () => {
  const typed = fc.oneof(anyString(), fc.domain(), anyUrl(), fc.emailAddress(), fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(typed, (text) => {
      const host = hostOf(text);
      if (!isHost(host)) return;
      expect(hostOf(host)).toBe(host);
      expect(new URL(`https://${host}/api`).host).toBe(host);
      expect(new URL(`https://${host}/api`).hostname).toBe(host);
    }),
  );
});
