import { expect, test } from 'vitest';
import type { PostRow } from '../../posts/list/rows.ts';
import { whyNotSchedulable } from './why-not-schedulable.ts';

const draft = (row: Partial<PostRow> = {}): PostRow => ({
  postGroupId: 'a',
  content: 'Hello',
  status: 'draft',
  scheduledTime: null,
  platforms: [{ platformId: 'mastodon-1', platform: 'mastodon', status: 'draft' }],
  thumbnail: null,
  ...row,
});

test.each<[Partial<PostRow>, RegExp | null]>([
  [{}, null],
  [{ content: '', thumbnail: { type: 'image', url: '/media/a' } }, null],
  [{ platforms: [] }, /^No channel yet/],
  [{ content: ' ' }, /^Empty/],
  [{ draftId: 'a' }, /^Not finished/],
  [{ draftId: 'a', platforms: [] }, /^No channel yet/],
])('%j: %s', (row, reason) => {
  if (reason) expect(whyNotSchedulable(draft(row))).toMatch(reason);
  else expect(whyNotSchedulable(draft(row))).toBeNull();
});
