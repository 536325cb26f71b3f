import type { Connection } from '@crier/client';
import { platformName } from '../../lib/platform-name.ts';
import { inOurWords, withoutAdvice, withoutReconnect } from '../../lib/posts/messages.ts';
import { formatRelative, type TimePreferences } from '../../lib/time/time.ts';

export interface ChannelSearch {
  /** Words from the handle, name or network. */
  q?: string;
  health?: 'attention';
  /** The open dialog: the list of networks, or the form of one. */
  add?: string;
  /** The channel that the form should make work again. */
  reconnect?: string;
  /** IDs of the channels just connected, separated by spaces. */
  connected?: string;
  connect?: 'failed';
  choice?: string;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

export function readChannelSearch(search: Record<string, unknown>): ChannelSearch {
  const { q, add, reconnect, connected, choice } = search;
  return {
    ...(text(q) && { q: text(q)! }),
    ...(search.health === 'attention' && { health: 'attention' }),
    ...(text(add) && { add: text(add)! }),
    ...(text(reconnect) && { reconnect: text(reconnect)! }),
    ...(text(connected) && { connected: text(connected)! }),
    ...(search.connect === 'failed' && { connect: 'failed' }),
    ...(text(choice) && { choice: text(choice)! }),
  };
}

type Searchable = Pick<Connection, 'username' | 'displayName' | 'platform' | 'health'>;

/** In a list of all brands. Undefined for the person's own channels. Known before the brands are. */
export const brandIdOf = ({ userId }: Pick<Connection, 'userId'>, ownId: string) =>
  userId === ownId ? undefined : userId;

/** Whether the user has to act. */
export const needsAttention = ({ health }: Pick<Connection, 'health'>) => health !== 'healthy';

export function matching<T extends Searchable>(channels: readonly T[], { q = '', health }: ChannelSearch): T[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return channels.filter((channel) => {
    if (health && !needsAttention(channel)) return false;
    const name = [channel.username, channel.displayName, platformName(channel.platform)].join(' ').toLowerCase();
    return words.every((word) => name.includes(word));
  });
}

/** What is wrong with the channel, and its last error if that says anything else. A channel that works asks for nothing. */
export function notesOn({ lastError, ...channel }: Pick<Connection, 'health' | 'healthMessage' | 'lastError'>) {
  const health = needsAttention(channel) ? inOurWords(channel.healthMessage) : null;
  const last = lastError && inOurWords(lastError.message);
  if (last === null || last === health) return { health, lastError: null };
  return { health, lastError: health ? last : withoutReconnect(withoutAdvice(last)) };
}

/** `Healthy`, `Expires in 3 days`, `Expired` or `Restricted`. */
export function healthLabel(
  { health, accessTokenExpiresAt }: Pick<Connection, 'health' | 'accessTokenExpiresAt'>,
  preferences: Pick<TimePreferences, 'locale' | 'zone'>,
  now = new Date(),
): string {
  if (health === 'healthy') return 'Healthy';
  if (health === 'restricted') return 'Restricted';
  if (health === 'reconnect' || !accessTokenExpiresAt) return 'Expired';
  return `Expires ${formatRelative(accessTokenExpiresAt, preferences, now)}`;
}

/** The channel that should have been reconnected, if the user approved access to other accounts only. */
export const missedChannel = <T extends { platformId: string }>(
  wanted: string | null,
  connected: readonly string[],
  channels: readonly T[],
): T | undefined =>
  wanted === null || connected.includes(wanted) ? undefined : channels.find(({ platformId }) => platformId === wanted);
