import { expect, test } from 'vitest';
import { parseUrl } from './parse-url.ts';

const long = '\u4e00'.repeat(300);

test.for([
  ['a name', `https://${long}.com/`],
  ['a name after blanks and line breaks', ` \n\u0000https://${long}.com/`],
  ['a name after a tab in the scheme', `ht\ttps:/\t/${long}.com/`],
  ['a name without slashes', `https:${long}.com`],
  ['a name after backslashes', `https:\\\\${long}.com`],
  ['a user name', `https://${long}@example.com/`],
  ['a path', `https://example.com/${'a'.repeat(8_192)}`],
])('%s that is too long is not parsed', ([, url]) => {
  expect(parseUrl(url!)).toBe(null);
});

test.for([
  ['https://example.com/a?b#c'],
  [`https://example.com/${long}?q=${long}#${long}`],
  ['https://bücher.example'],
  ['mailto:ann@example.com'],
  [`tg://user?id=${'1'.repeat(300)}`],
])('%s is parsed as the platform does', ([url]) => {
  expect(parseUrl(url!)?.href).toBe(new URL(url!).href);
});

test('an address that begins at another may have a long path, but no long name', () => {
  const base = new URL('https://example.com/a');
  expect(parseUrl(`/${long}`, base)?.host).toBe('example.com');
  expect(parseUrl(`${long}`, base)?.host).toBe('example.com');
  expect(parseUrl(`//${long}.com/`, base)).toBe(null);
  expect(parseUrl(`/\t\\${long}.com/`, base)).toBe(null);
  expect(parseUrl(`https://${long}.com/`, base)).toBe(null);
});
