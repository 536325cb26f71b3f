// Generated from src/platforms/index.ts by npm run generate. Do not edit.
export const platformNames = {
  twitter: 'X',
  instagram: 'Instagram',
  threads: 'Threads',
  tiktok: 'TikTok',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  facebook: 'Facebook',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  telegram: 'Telegram',
  pinterest: 'Pinterest',
} as const;
/** The names in texts of the API, where they are others. */
export const contractNames = {
  twitter: 'Twitter/X',
} as const;
