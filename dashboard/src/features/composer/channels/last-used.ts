import type { Connection } from '@crier/client';

/** The channels of the person's latest post, in this browser. */

const keyOf = (userId: string) => `crier:last-channels:${userId}`;

export function keepLastChannels(userId: string, channels: readonly string[]) {
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(channels));
  } catch {
    // Storage is full or disabled.
  }
}

/** Without those that were disconnected since. */
export function lastChannelsOf(userId: string, channels: readonly Connection[]): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]');
    const isThere = (id: unknown) => channels.some(({ platformId }) => platformId === id);
    return Array.isArray(kept) ? kept.filter(isThere) : [];
  } catch {
    return [];
  }
}
