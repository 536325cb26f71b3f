import type { Network } from '../network.ts';
import { bluesky } from './bluesky/index.ts';
import { facebook } from './facebook/index.ts';
import { instagram } from './instagram/index.ts';
import { linkedin } from './linkedin/index.ts';
import { mastodon } from './mastodon/index.ts';
import { pinterest } from './pinterest/index.ts';
import { telegram } from './telegram/index.ts';
import { threads } from './threads/index.ts';
import { tiktok } from './tiktok/index.ts';
import { twitter } from './twitter/index.ts';
import { youtube } from './youtube/index.ts';

/** Every network that the sandbox plays: one line each. */
export const networks: readonly Network[] = [
  mastodon,
  telegram,
  twitter,
  linkedin,
  bluesky,
  facebook,
  tiktok,
  instagram,
  pinterest,
  youtube,
  threads,
];
