import { bluesky } from './bluesky/index.ts';
import { facebook } from './facebook/index.ts';
import { instagram } from './instagram/index.ts';
import type { Connectable, Platform, PlatformId, PlatformName } from './kit/index.ts';
import { linkedin } from './linkedin/index.ts';
import { mastodon } from './mastodon/index.ts';
import { pinterest } from './pinterest/index.ts';
import { telegram } from './telegram/index.ts';
import { threads } from './threads/index.ts';
import { tiktok } from './tiktok/index.ts';
import { twitter } from './twitter/index.ts';
import { youtube } from './youtube/index.ts';

/** Every network we publish to: one line each. */
export const platforms = {
  bluesky,
  facebook,
  instagram,
  linkedin,
  mastodon,
  telegram,
  threads,
  tiktok,
  twitter,
  youtube,
} satisfies Partial<Record<PlatformId, Platform>>;

export function platformFor(id: string): Platform | null {
  const known: Partial<Record<string, Platform>> = platforms;
  return (Object.hasOwn(known, id) && known[id]) || null;
}

/** Every network that an account can be connected to. */
export const connectables: Partial<Record<PlatformName, Connectable>> = { ...platforms, pinterest };
