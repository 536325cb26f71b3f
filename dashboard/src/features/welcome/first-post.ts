import type { Connection, PlatformLimits } from '@crier/client';
import { channelName } from '../../components/channels/avatar.tsx';
import { platformName } from '../../lib/platform-name.ts';

type Channel = Pick<Connection, 'platform' | 'platformId' | 'username' | 'displayName' | 'profileImageUrl'>;
type Limits = Readonly<Record<string, Pick<PlatformLimits, 'requirements'>>>;

/** The networks that take a post without a picture or a video, as the first post is. */
export const textNetworks = (limits: Limits): string[] =>
  Object.keys(limits).filter((platform) => limits[platform]?.requirements.supportsTextOnly);

/** `ada on Mastodon and ada on X`. */
export const namesOf = (channels: readonly Channel[]): string =>
  list.format(channels.map((channel) => `${channelName(channel)} on ${platformName(channel.platform)}`));

/** `Instagram and TikTok`, each once. */
export const networksOf = (channels: readonly { platform: string }[]): string =>
  list.format([...new Set(channels.map(({ platform }) => platformName(platform)))]);

const list = new Intl.ListFormat('en');

interface Target {
  readonly platform: string;
  readonly status: string;
}

/** Whether the post is on all of its channels. */
export const isPublished = (targets: readonly Target[]): boolean =>
  targets.length > 0 && targets.every(({ status }) => status === 'published' || status === 'posted');

/** The result of the post on all of its channels, in one sentence. */
export function outcomeOf(targets: readonly Target[]): string {
  const failed = targets.filter(({ status }) => status === 'failed');
  if (failed.length > 0) return `${networksOf(failed)} did not take the post. The details say why and what to do.`;
  if (!isPublished(targets)) return 'Your post is on its way.';
  return `Your first post is published on ${networksOf(targets)}. From now on you can plan posts in the calendar.`;
}
