import type { Connection } from '@crier/client';
import { byNetwork, type ChannelGroup } from '../../../components/channels/by-network.ts';
import { matching } from '../../channels/channel-list.ts';

/** The channels by network, after a first group of those that are likely to be wanted. */
export function groupsOf(
  channels: readonly Connection[],
  first: { readonly name: string; readonly ids: readonly string[] },
): ChannelGroup[] {
  const isFirst = ({ platformId }: Connection) => first.ids.includes(platformId);
  const groups = [{ name: first.name, channels: channels.filter(isFirst) }, ...byNetwork(channels, isFirst)];
  return groups.filter((group) => group.channels.length > 0);
}

/** What matches the words, by network, and then what else is selected, so that it stays in sight. */
export function groupsFound(channels: readonly Connection[], q: string, chosen: readonly string[]): ChannelGroup[] {
  const found = matching(channels, { q });
  const others = channels.filter((one) => chosen.includes(one.platformId) && !found.includes(one));
  return [...byNetwork(found), ...(others.length > 0 ? [{ name: 'Also selected', channels: others }] : [])];
}
