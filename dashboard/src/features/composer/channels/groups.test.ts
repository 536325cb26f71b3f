import type { Connection } from '@crier/client';
import { describe, expect, test } from 'vitest';
import type { ChannelGroup } from '../../../components/channels/by-network.ts';
import { groupsFound, groupsOf } from './groups.ts';

const channel = (platformId: string, username: string) =>
  ({ platformId, platform: platformId.split('-')[0], username }) as Connection;
const channels = [
  channel('mastodon-1', 'bakery'),
  channel('twitter-1', 'bakery'),
  channel('mastodon-2', 'garage'),
  channel('bluesky-1', 'harbour'),
];
const names = (groups: readonly ChannelGroup[]) =>
  groups.map(({ name, channels }) => `${name}: ${channels.map(({ platformId }) => platformId).join(' ')}`);

describe('the channels to choose from', () => {
  test('are grouped by network, with those used last first and only there', () => {
    expect(names(groupsOf(channels, { name: 'Last used', ids: ['mastodon-2', 'bluesky-1'] }))).toEqual([
      'Last used: mastodon-2 bluesky-1',
      'Mastodon: mastodon-1',
      'X: twitter-1',
    ]);
    expect(names(groupsOf(channels, { name: 'Last used', ids: [] }))[0]).toBe('Mastodon: mastodon-1 mastodon-2');
  });

  test('are found by handle and network, and selected ones stay in sight below', () => {
    expect(names(groupsFound(channels, 'bakery', ['twitter-1', 'bluesky-1']))).toEqual([
      'Mastodon: mastodon-1',
      'X: twitter-1',
      'Also selected: bluesky-1',
    ]);
    expect(names(groupsFound(channels, 'mastodon garage', []))).toEqual(['Mastodon: mastodon-2']);
  });
});
