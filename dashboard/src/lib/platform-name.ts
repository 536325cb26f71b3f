import { contractNames, platformNames } from './platform-names.gen.ts';

export type KnownPlatform = keyof typeof platformNames;

export const isKnownPlatform = (platform: string): platform is KnownPlatform => Object.hasOwn(platformNames, platform);

/** The network's display name. */
export const platformName = (platform: string) => (isKnownPlatform(platform) ? platformNames[platform] : platform);

/** The API says "Twitter/X"; the dashboard says "X". */
export const withPlainNames = (text: string) =>
  Object.entries(contractNames).reduce((plain, [id, name]) => plain.replaceAll(name, platformName(id)), text);

/** The platform of a connection ID: `mastodon-1234` is on `mastodon`. */
export const platformOf = (platformId: string) => platformId.slice(0, platformId.indexOf('-'));

/** The connection ID of a target. */
export const channelIdOf = ({ platform, platformId }: { platform: string; platformId: string | null }): string =>
  `${platform}-${platformId ?? ''}`;
