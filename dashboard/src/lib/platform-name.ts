const names = {
  bluesky: 'Bluesky',
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  mastodon: 'Mastodon',
  pinterest: 'Pinterest',
  telegram: 'Telegram',
  threads: 'Threads',
  tiktok: 'TikTok',
  twitter: 'X',
  x: 'X',
  youtube: 'YouTube',
};

export type KnownPlatform = keyof typeof names;

export const isKnownPlatform = (platform: string): platform is KnownPlatform => Object.hasOwn(names, platform);

/** The network's display name. */
export const platformName = (platform: string) => (isKnownPlatform(platform) ? names[platform] : platform);

/** The API says "Twitter/X"; the dashboard says "X". */
export const withPlainNames = (text: string) => text.replaceAll('Twitter/X', platformName('twitter'));

/** The platform of a connection ID: `mastodon-1234` is on `mastodon`. */
export const platformOf = (platformId: string) => platformId.slice(0, platformId.indexOf('-'));
