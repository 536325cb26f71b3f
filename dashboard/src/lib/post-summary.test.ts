import { expect, test } from 'vitest';
import { reasonOf } from './post-summary.ts';

test('the failure reason names each network once', () => {
  const platforms = [
    { platformId: 'twitter-1', platform: 'twitter', status: 'failed', error: 'X is full.' },
    { platformId: 'linkedin-1', platform: 'linkedin', status: 'failed', error: 'The file is too large.' },
    { platformId: 'mastodon-1', platform: 'mastodon', status: 'published' },
  ];
  expect(reasonOf({ platforms })).toBe('X is full. LinkedIn: The file is too large.');
  expect(reasonOf({ platforms: platforms.slice(2) })).toBeNull();
});
