import { expect, test } from 'vitest';
import { safeAccount, webAddress } from './safe-account.ts';

test.for([
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://example.com/',
  '//example.com/ann',
  'nonsense',
  '',
  `https://example.com/${'x'.repeat(3000)}`,
])('%j is not an address to show', (address) => {
  expect(webAddress(address)).toBeNull();
});

test.for(['https://example.com/@ann', 'http://example.com/a.png?x=1'])('%s is one', (address) => {
  expect(webAddress(address)).toBe(address);
});

test('names and handles can be stored, whatever a server sends', () => {
  const account = { id: '1', handle: 'a\0b', displayName: 'c\ud800', avatarUrl: null, profileUrl: null, traits: {} };
  expect(safeAccount(account)).toMatchObject({ handle: 'a\ufffdb', displayName: 'c\ufffd' });
});

test('names and handles are cut at 1,000 characters', () => {
  const long = 'x'.repeat(1_000_000);
  const account = { id: '1', handle: long, displayName: long, avatarUrl: null, profileUrl: null, traits: {} };
  const { handle, displayName } = safeAccount(account);
  expect([handle.length, displayName.length]).toEqual([1000, 1000]);
});
