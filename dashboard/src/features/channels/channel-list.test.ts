import { expect, test } from 'vitest';
import { healthLabel, matching, missedChannel, needsAttention, notesOn, readChannelSearch } from './channel-list.ts';

const now = new Date('2027-03-04T05:06:07Z');
const channel = { username: 'ada', displayName: 'Ada Lovelace', platform: 'twitter', health: 'healthy' } as const;

test.each([
  ['healthy', '2027-03-05T00:00:00Z', 'Healthy'],
  ['expiring', '2027-03-07T05:06:07Z', 'Expires in 3 days'],
  ['expiring', '2027-03-05T05:06:07Z', 'Expires tomorrow'],
  ['reconnect', null, 'Expired'],
  ['restricted', null, 'Restricted'],
] as const)('health %s with expiry %s is labelled %s', (health, accessTokenExpiresAt, words) => {
  expect(healthLabel({ health, accessTokenExpiresAt }, { locale: 'en-GB', zone: 'UTC' }, now)).toBe(words);
});

test('channels are found by words of the handle, the name and the network, in any order', () => {
  const channels = [channel, { ...channel, username: 'grace', displayName: null, platform: 'mastodon' }];
  const found = (q: string) => matching(channels, { q }).map(({ username }) => username);
  expect([found('X lovelace'), found('GRACE'), found('ada mastodon'), found(' ')]).toEqual([
    ['ada'],
    ['grace'],
    [],
    ['ada', 'grace'],
  ]);
});

test('only channels that require action need attention', () => {
  const expired = { ...channel, health: 'reconnect' as const };
  expect([channel, expired].map(needsAttention)).toEqual([false, true]);
  expect(matching([channel, expired], { health: 'attention' })).toEqual([expired]);
});

test('unknown search parameters are dropped', () => {
  const search = { q: 7, health: 'all', add: '', connected: ['x'], connect: 'well', choice: 'a' };
  expect(readChannelSearch(search)).toEqual({ choice: 'a' });
});

const accounts = [{ platformId: 'twitter-1' }, { platformId: 'twitter-2' }];

test.each([
  ['another account was approved', 'twitter-1', ['twitter-2'], 'twitter-1'],
  ['the same account was approved', 'twitter-1', ['twitter-1'], undefined],
  ['both were approved', 'twitter-1', ['twitter-2', 'twitter-1'], undefined],
  ['a channel was added', null, ['twitter-2'], undefined],
  ['the channel was disconnected since', 'twitter-9', ['twitter-2'], undefined],
] as const)('when %s, the missed channel is known', (_, wanted, connected, missed) => {
  expect(missedChannel(wanted, connected, accounts)?.platformId).toBe(missed);
});

const errorOf = (message: string) => ({ message, occurredAt: now.toISOString() });

test('that a network has ended the access is said once', () => {
  const lastError = errorOf("X no longer accepts the account's access token. Reconnect the account.");
  const healthMessage = 'X no longer accepts the connection. Reconnect the account.';
  expect(notesOn({ health: 'reconnect', healthMessage, lastError })).toEqual({
    health: 'X has ended Crier’s access. Reconnect the channel.',
    lastError: null,
  });
  const other = errorOf('The file is too large.');
  expect(notesOn({ health: 'reconnect', healthMessage, lastError: other }).lastError).toBe('The file is too large.');
});

test.each([
  ['X has rate-limited this account. Wait until the limit resets, then try again.', 'X has rate-limited this account.'],
  ["X no longer accepts the account's access token. Reconnect the account.", 'X has ended Crier’s access.'],
])('beside “Healthy”, %j asks for nothing', (message, shown) => {
  const notes = notesOn({ health: 'healthy', healthMessage: 'Ready to publish.', lastError: errorOf(message) });
  expect(notes).toEqual({ health: null, lastError: shown });
});
