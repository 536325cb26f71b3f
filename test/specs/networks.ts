import { specsIn } from './files/specs-dir.ts';
import { blueskySpec } from './packages/bluesky.ts';
import { mastodonSpec } from './packages/mastodon.ts';
import { metaSpec } from './packages/meta.ts';
import { telegramSpec } from './packages/telegram.ts';
import { xSpec } from './packages/x.ts';
import { youtubeSpec } from './packages/youtube.ts';
import type { Spec } from './spec.ts';

/** What packages know of a network. For LinkedIn, Threads, TikTok and Pinterest there is nothing of the kind on npm. */
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

/** Everything that a network's calls can be checked against: what packages carry, and the files in `SPECS_DIR`. */
export async function specsFor(platform: string): Promise<Spec[]> {
  const known = packages[platform];
  return [...(known ? [await known()] : []), ...(files.get(platform) ?? [])];
}
