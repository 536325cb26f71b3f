import type { Connection } from '@crier/client';
import { platformName, platformOf } from '../../lib/platform-name.ts';

export interface ChannelGroup {
  readonly name: string;
  readonly channels: readonly Connection[];
}

/** In the order in which the networks were connected. */
export const byNetwork = (
  channels: readonly Connection[],
  isLeftOut: (channel: Connection) => boolean = () => false,
): ChannelGroup[] =>
  [...Map.groupBy(channels, ({ platformId }) => platformOf(platformId))].map(([network, ofNetwork]) => ({
    name: platformName(network),
    channels: ofNetwork.filter((channel) => !isLeftOut(channel)),
  }));
