import type { SandboxPlatform } from '../platform.ts';
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

/** Every platform of the sandbox, one line each. The home page shows them in this order. */
export const platforms: readonly SandboxPlatform[] = [
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
