import { type PlatformId, platformIds } from './index.ts';

/** The contract lists these in its own order; platforms it does not know come last. */
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

/** The platforms that a first comment may name. `limits.firstComment` says which of them accept comments. */
export const nameablePlatforms: readonly string[] = [...new Set([...contractOrder, ...platformIds])];
