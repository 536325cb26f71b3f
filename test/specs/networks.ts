import { specsIn } from './files/specs-dir.ts';
import { blueskySpec } from './packages/bluesky.ts';
import { mastodonSpec } from './packages/mastodon.ts';
import { metaSpec } from './packages/meta.ts';
import { telegramSpec } from './packages/telegram.ts';
import { xSpec } from './packages/x.ts';
import { youtubeSpec } from './packages/youtube.ts';
import type { Spec } from './spec.ts';

/** The npm packages that describe a network. LinkedIn, Threads, TikTok and Pinterest have none. */
const packages: Readonly<Record<string, () => Spec | Promise<Spec>>> = {
  bluesky: blueskySpec,
  facebook: metaSpec,
  instagram: metaSpec,
  mastodon: mastodonSpec,
  telegram: telegramSpec,
  twitter: xSpec,
  youtube: youtubeSpec,
};

const folder = process.env.SPECS_DIR;
const files = folder ? specsIn(folder) : new Map<string, Spec[]>();

/** All descriptions to check a network's calls against: those in packages, and the files in `SPECS_DIR`. */
export async function specsFor(platform: string): Promise<Spec[]> {
  const known = packages[platform];
  return [...(known ? [await known()] : []), ...(files.get(platform) ?? [])];
}
