import type { Connection } from '@crier/client';
import { platformName, platformOf } from '../../lib/platform-name.ts';
import { channelName } from './avatar.tsx';

type Named = Pick<Connection, 'platformId' | 'username' | 'displayName'>;

/** The name and the network, for lists. */
export const labelOf = (channel: Named) => `${channelName(channel)} · ${platformName(platformOf(channel.platformId))}`;

/** A channel that was disconnected still has posts. */
export function labelOfId(id: string, channels: readonly Named[]): string {
  const channel = channels.find(({ platformId }) => platformId === id);
  return channel ? labelOf(channel) : `Disconnected · ${platformName(platformOf(id))}`;
}

/** Beside the network's icon, in a field: without the server, unless another channel has the same name elsewhere. */
export function shortNameOf(id: string, channels: readonly Named[], maxLength: number): string {
  const channel = channels.find(({ platformId }) => platformId === id);
  if (!channel) return 'Disconnected';
  const short = withoutServer(channel);
  const isShared = channels.some((other) => other !== channel && isSameName(withoutServer(other), short));
  const letters = [...(isShared ? channelName(channel) : short)];
  if (letters.length <= maxLength) return letters.join('');
  const start = Math.ceil((maxLength - 1) / 2);
  return `${letters.slice(0, start).join('')}…${letters.slice(start + 1 - maxLength).join('')}`;
}

const withoutServer = (channel: Named) => channelName(channel).replace(/^(@?[^@\s]+)@[^@\s]+$/, '$1');

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
