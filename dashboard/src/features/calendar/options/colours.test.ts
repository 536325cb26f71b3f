import { expect, test } from 'vitest';
import { edgeOf } from './colours.ts';

const post = (...platforms: string[]) => ({
  platforms: platforms.map((platform) => ({ platform, platformId: `${platform}-1`, status: 'scheduled' })),
});
const bakery = { colour: 'pink' } as const;

test('by status, the style sheet decides', () => {
  expect(edgeOf(post('mastodon'), bakery, 'status')).toBeNull();
});

test('by brand, own posts are grey', () => {
  expect(edgeOf(post('mastodon'), bakery, 'brand')).toBe('var(--mantine-color-pink-filled)');
  expect(edgeOf(post('mastodon'), null, 'brand')).toBe('var(--mantine-color-gray-6)');
});

test('by network, several share the edge, each once', () => {
  expect(edgeOf(post('mastodon'), null, 'network')).toBe('#6364ff');
  expect(edgeOf(post('mastodon', 'bluesky', 'mastodon'), null, 'network')).toBe(
    'linear-gradient(#6364ff 0% 50%, #1185fe 50% 100%)',
  );
  expect(edgeOf(post(), null, 'network')).toBe('var(--mantine-color-gray-6)');
});
