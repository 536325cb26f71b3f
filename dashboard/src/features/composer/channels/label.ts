import type { Connection } from '@crier/client';
import { channelName } from '../../../components/channels/avatar.tsx';
import { platformName, platformOf } from '../../../lib/platform-name.ts';

/** The network, with the account if several are selected. */
export function labelOf(channel: Connection, chosen: readonly Connection[]): string {
  const platform = platformOf(channel.platformId);
  const siblings = chosen.filter(({ platformId }) => platformOf(platformId) === platform);
  return siblings.length > 1 ? `${platformName(platform)} (${channelName(channel)})` : platformName(platform);
}
