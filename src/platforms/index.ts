import { bluesky } from './bluesky/index.ts';
import type { Connectable, Platform, PlatformId, PlatformName } from './kit/index.ts';
import { linkedin } from './linkedin/index.ts';
import { mastodon } from './mastodon/index.ts';
import { telegram } from './telegram/index.ts';
import { twitter } from './twitter/index.ts';

/** Every network we publish to: one line each. */
export const platforms = { bluesky, linkedin, mastodon, telegram, twitter } satisfies Partial<
  Record<PlatformId, Platform>
>;

export function platformFor(id: string): Platform | null {
  const known: Partial<Record<string, Platform>> = platforms;
  return (Object.hasOwn(known, id) && known[id]) || null;
}

/** Every network that an account can be connected to. */
export const connectables: Partial<Record<PlatformName, Connectable>> = platforms;
