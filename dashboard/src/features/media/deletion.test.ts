import { expect, test } from 'vitest';
import { consequenceOf } from './deletion.ts';

const post = (status: 'draft' | 'scheduled' | 'published') => ({ postGroupId: '1', excerpt: 'Hello', status });

test.each([
  ['an unused file', { inLibrary: true, posts: [], postCount: 0 }, true, 'No post uses this file.'],
  [
    'a file of the library in one post',
    { inLibrary: true, posts: [post('scheduled')], postCount: 1 },
    true,
    'One post uses this file and keeps it',
  ],
  [
    'a file of the library in many posts',
    { inLibrary: true, posts: [post('published')], postCount: 12 },
    true,
    '12 posts use this file and keep it',
  ],
  ['a file of a draft', { inLibrary: false, posts: [post('draft')], postCount: 1 }, true, 'will be removed from it'],
  [
    'a file of a scheduled post',
    { inLibrary: false, posts: [post('scheduled')], postCount: 1 },
    false,
    'Remove it from the post first.',
  ],
  [
    'a file of a published post',
    { inLibrary: false, posts: [post('published')], postCount: 1 },
    false,
    'deleted together with that post',
  ],
])('explains the deletion of %s', (_, media, isPossible, words) => {
  expect(consequenceOf(media)).toEqual({ isPossible, explanation: expect.stringContaining(words) });
});
