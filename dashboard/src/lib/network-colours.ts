import type { KnownPlatform } from './platform-name.ts';
import { isKnownPlatform } from './platform-name.ts';

/** Close to the networks' own colours, and visible on both themes. Never the only sign: icons and names are next to them. */
const colours: Record<KnownPlatform, string> = {
  bluesky: '#1185fe',
  facebook: '#1877f2',
  instagram: '#d62976',
  linkedin: '#0a7bb5',
  mastodon: '#6364ff',
  pinterest: '#e60023',
  telegram: '#29a0da',
  threads: 'light-dark(#2b2b2b, #e4e4e4)',
  tiktok: 'light-dark(#00807c, #25c9c4)',
  twitter: 'light-dark(#2f3b47, #b6c2ce)',
  youtube: '#f03d2f',
};

export const networkColour = (platform: string): string =>
  isKnownPlatform(platform) ? colours[platform] : 'var(--mantine-color-gray-6)';
