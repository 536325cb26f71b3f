import { bluesky } from './bluesky/index.ts';
import { facebook } from './facebook/index.ts';
import { instagram } from './instagram/index.ts';
import type { Connectable, Platform } from './kit/index.ts';
import { linkedin } from './linkedin/index.ts';
import { mastodon } from './mastodon/index.ts';
import { pinterest } from './pinterest/index.ts';
import { telegram } from './telegram/index.ts';
import { threads } from './threads/index.ts';
import { tiktok } from './tiktok/index.ts';
import { twitter } from './twitter/index.ts';
import { youtube } from './youtube/index.ts';

/** Every platform, in the order the API lists them. To add a platform, add a folder and a line here. */
const registry = {
  twitter,
  instagram,
  threads,
  tiktok,
  linkedin,
  youtube,
  facebook,
  mastodon,
  bluesky,
  telegram,
  pinterest,
};

/** This word is the platform's folder, its value in the database and the prefix of its connection ids. */
export type PlatformName = keyof typeof registry;
/** The platforms that can be posted to. */
export type PlatformId = {
  [Name in PlatformName]: (typeof registry)[Name] extends Platform ? Name : never;
}[PlatformName];

/** Every platform that an account can be connected to. */
export const connectables: Readonly<Record<PlatformName, Connectable>> = registry;

const publishing = Object.entries<Connectable>(registry).filter(
  (entry): entry is [PlatformId, Platform] => 'publish' in entry[1],
);

/** Every platform that can be posted to. */
export const platforms = Object.fromEntries(publishing) as Pick<typeof registry, PlatformId>;
export const platformIds: readonly PlatformId[] = publishing.map(([id]) => id);

export function platformFor(id: string): Platform | null {
  return publishing.find(([known]) => known === id)?.[1] ?? null;
}
