import type { KnownPlatform } from './platform-name.ts';
import { isKnownPlatform } from './platform-name.ts';

/**
 * Close to the networks' own colours. White glyphs on them have a contrast of at least 3:1, and so do they on the page. Never the
 * only sign: icons or names are next to them.
 */
const colours: Record<KnownPlatform, string> = {
  bluesky: '#1185fe',
  facebook: '#1877f2',
  instagram: 'light-dark(#d62976, #e14587)',
  linkedin: 'light-dark(#0a7bb5, #1a8bc6)',
  mastodon: '#6364ff',
  pinterest: 'light-dark(#e60023, #f0304c)',
  telegram: '#2395d3',
  threads: 'light-dark(#2b2b2b, #838383)',
  tiktok: 'light-dark(#00807c, #0d9893)',
  twitter: 'light-dark(#2f3b47, #76808f)',
  youtube: '#f03d2f',
};

export const networkColour = (platform: string): string =>
  isKnownPlatform(platform) ? colours[platform] : 'var(--mantine-color-gray-6)';
