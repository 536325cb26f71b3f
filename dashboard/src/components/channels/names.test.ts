import { expect, test } from 'vitest';
import { labelOfId, shortNameOf } from './names.ts';

const channel = (platformId: string, username: string | null, displayName: string | null = null) => ({
  platformId,
  username,
  displayName,
});
const short = (first: ReturnType<typeof channel>, ...others: ReturnType<typeof channel>[]) =>
  shortNameOf(first.platformId, [first, ...others], 24);

test('the short name leaves out the server', () => {
  expect(short(channel('mastodon-1', 'wittypanda6061@mastodon.social'))).toBe('wittypanda6061');
  expect(short(channel('mastodon-1', '@ada@example.social'))).toBe('@ada');
  expect(short(channel('telegram-1', '@bakerynews'))).toBe('@bakerynews');
  expect(short(channel('facebook-1', null, 'Café @ the harbour'))).toBe('Café @ the harbour');
});

test('of two channels with the same name, the short name keeps the server', () => {
  const other = channel('mastodon-2', 'Ada@hachyderm.io');
  expect(short(channel('mastodon-1', 'ada@mastodon.social'), other)).toBe('ada@mastodon.social');
});

test('a long name is shortened in the middle, where names of one owner differ least', () => {
  expect(short(channel('facebook-1', null, 'The little bakery at the harbour'))).toBe('The little b…the harbour');
  expect(short(channel('facebook-1', null, '🌊'.repeat(30)))).toBe(`${'🌊'.repeat(12)}…${'🌊'.repeat(11)}`);
});

test('a disconnected channel has the name of its network', () => {
  expect(shortNameOf('mastodon-1', [], 24)).toBe('Disconnected');
  expect(labelOfId('mastodon-1', [])).toBe('Disconnected · Mastodon');
});
