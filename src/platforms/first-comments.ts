import { type PlatformId, platformIds } from './index.ts';

/** The contract lists these in its own order; a platform that it does not know comes last. */
const contractOrder: readonly PlatformId[] = [
  'linkedin',
  'twitter',
  'threads',
  'bluesky',
  'mastodon',
  'instagram',
  'facebook',
  'youtube',
  'tiktok',
  'telegram',
];

/** The platforms that a first comment may name. Which of them take comments is said by `limits.firstComment`. */
export const nameablePlatforms: readonly string[] = [...new Set([...contractOrder, ...platformIds])];
