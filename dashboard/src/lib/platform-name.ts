const names: Record<string, string> = {
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

/** What people call a network. */
export const platformName = (platform: string) => names[platform] ?? platform;

/** A text of the service with the names that the dashboard uses: its API calls X by both of its names. */
export const withPlainNames = (text: string) => text.replaceAll('Twitter/X', platformName('twitter'));
