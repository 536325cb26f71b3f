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

/** What people call a network. */
export const platformName = (platform: string) => (isKnownPlatform(platform) ? names[platform] : platform);

/** A text of the service with the names that the dashboard uses: its API calls X by both of its names. */
export const withPlainNames = (text: string) => text.replaceAll('Twitter/X', platformName('twitter'));

/** The platform in the id of a connection: `mastodon-1234` is on `mastodon`. */
export const platformOf = (platformId: string) => platformId.slice(0, platformId.indexOf('-'));
