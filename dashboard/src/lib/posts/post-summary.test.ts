import { expect, test } from 'vitest';
import { hasWords, reasonOf } from './post-summary.ts';

test('the failure reason names each network once', () => {
  const platforms = [
    { platformId: 'twitter-1', platform: 'twitter', status: 'failed', error: 'X is full.' },
    { platformId: 'linkedin-1', platform: 'linkedin', status: 'failed', error: 'The file is too large.' },
    { platformId: 'mastodon-1', platform: 'mastodon', status: 'published' },
  ];
  expect(reasonOf({ platforms })).toBe('X is full. LinkedIn: The file is too large.');
  expect(reasonOf({ platforms: platforms.slice(2) })).toBeNull();
});

test('a text has words in any order and case, and may end within the last one', () => {
  expect(hasWords('Fresh bread at SEVEN', 'seven fre')).toBe(true);
  expect(hasWords('Meet the team', 'media')).toBe(false);
  expect(hasWords('Anything', '')).toBe(true);
});
