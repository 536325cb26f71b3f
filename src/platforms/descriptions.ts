import { description as bluesky } from './bluesky/description.ts';
import { description as facebook } from './facebook/description.ts';
import { description as instagram } from './instagram/description.ts';
import type { Description, PlatformName } from './kit/index.ts';
import { description as linkedin } from './linkedin/description.ts';
import { description as mastodon } from './mastodon/description.ts';
import { description as pinterest } from './pinterest/description.ts';
import { description as telegram } from './telegram/description.ts';
import { description as threads } from './threads/description.ts';
import { description as tiktok } from './tiktok/description.ts';
import { description as twitter } from './twitter/description.ts';
import { description as youtube } from './youtube/description.ts';

/** Every network we know, in the order in which the API lists them. */
export const descriptions: readonly Description[] = [
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
];

const byId = new Map<string, Description>(descriptions.map((description) => [description.id, description]));

export function descriptionOf(id: PlatformName): Description;
export function descriptionOf(id: string): Description | null;
export function descriptionOf(id: string): Description | null {
  return byId.get(id) ?? null;
}
