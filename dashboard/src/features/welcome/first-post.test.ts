import type { PlatformPost } from '@crier/client';
import { expect, test } from 'vitest';
import { namesOf, networksOf, outcomeOf, pictureNetworks, textNetworks } from './first-post.ts';

const channel = (platform: string, username: string) => ({
  platform,
  username,
  platformId: `${platform}-1`,
  displayName: null,
  profileImageUrl: null,
});

test('the first post goes to networks that support text-only posts, with a picture also to those that need one', () => {
  const requirements = { requiresMedia: false, requiresVideo: false, supportsTextOnly: true, supportsThreading: true };
  const images = { supported: true, maxSizeBytes: 1, maxCount: 1, formats: [] };
  const limits = {
    twitter: { requirements, images },
    instagram: { requirements: { ...requirements, supportsTextOnly: false, requiresMedia: true }, images },
    youtube: {
      requirements: { ...requirements, supportsTextOnly: false, requiresVideo: true },
      images: { ...images, supported: false },
    },
  };
  expect(textNetworks(limits)).toEqual(['twitter']);
  expect(pictureNetworks(limits)).toEqual(['twitter', 'instagram']);
});

test('channels are named with their networks, and networks once', () => {
  const channels = [channel('twitter', 'ada'), channel('mastodon', 'ada@example.social'), channel('twitter', 'bo')];
  expect(namesOf(channels.slice(0, 1))).toBe('ada on X');
  expect(namesOf(channels)).toBe('ada on X, ada@example.social on Mastodon and bo on X');
  expect(networksOf(channels)).toBe('X and Mastodon');
});

test.each<[PlatformPost['status'][], string]>([
  [[], 'Publishing your post…'],
  [['published', 'processing'], 'Publishing your post…'],
  [['published', 'published'], 'Your first post is live on X and Bluesky. You can now plan posts in the calendar.'],
  [['published', 'failed'], 'Not published on Bluesky. Open Details to see why and what to do.'],
])('the statuses %j are summarized as: %s', (states, words) => {
  const networks = ['twitter', 'bluesky'];
  expect(outcomeOf(states.map((status, index) => ({ status, platform: networks[index]! })))).toBe(words);
});
