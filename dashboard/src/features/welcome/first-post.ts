import type { Connection, PlatformLimits, PlatformPost } from '@crier/client';
import { channelName } from '../../components/channels/avatar.tsx';
import { platformName } from '../../lib/platform-name.ts';

type Channel = Pick<Connection, 'platform' | 'platformId' | 'username' | 'displayName' | 'profileImageUrl'>;
type Limits = Readonly<Record<string, Pick<PlatformLimits, 'requirements' | 'images'>>>;

/** Networks that support text-only posts like the first one. */
export const textNetworks = (limits: Limits): string[] =>
  Object.keys(limits).filter((platform) => limits[platform]?.requirements.supportsTextOnly);

/** Networks that accept a picture with the text. */
export const pictureNetworks = (limits: Limits): string[] =>
  Object.keys(limits).filter(
    (platform) => limits[platform]?.images.supported && !limits[platform].requirements.requiresVideo,
  );

/** `ada on Mastodon and ada on X`. */
export const namesOf = (channels: readonly Channel[]): string =>
  list.format(channels.map((channel) => `${channelName(channel)} on ${platformName(channel.platform)}`));

/** `Instagram and TikTok`, each once. */
export const networksOf = (channels: readonly { platform: string }[]): string =>
  list.format([...new Set(channels.map(({ platform }) => platformName(platform)))]);

const list = new Intl.ListFormat('en-GB');

type Target = Pick<PlatformPost, 'platform' | 'status'>;

/** Whether the post is published on all channels. */
export const isPublished = (targets: readonly Target[]): boolean =>
  targets.length > 0 && targets.every(({ status }) => status === 'published');

/** The overall result in one sentence. */
export function outcomeOf(targets: readonly Target[]): string {
  const failed = targets.filter(({ status }) => status === 'failed');
  if (failed.length > 0) return `Not published on ${networksOf(failed)}. Open Details to see why and what to do.`;
  if (!isPublished(targets)) return 'Publishing your post…';
  return `Your first post is live on ${networksOf(targets)}. You can now plan posts in the calendar.`;
}
