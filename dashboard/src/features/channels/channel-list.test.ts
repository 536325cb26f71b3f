import { expect, test } from 'vitest';
import { healthLabel, matching, missedChannel, needsAttention, readChannelSearch } from './channel-list.ts';

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
