import { expect, test } from 'vitest';
import { heldBackLines } from './held-back-lines.ts';

test('one of each is in the singular', () => {
  expect(heldBackLines({ drafts: 1, targets: 1, comments: 1, deletions: 1 })).toEqual([
    '1 scheduled post may have been published after the backup, and became a draft, as its log shows.',
    '1 target that was being published failed with PUBLISH_OUTCOME_UNKNOWN.',
    'First comments on 1 post have an unknown outcome.',
    '1 account that was about to be deleted can be kept for another seven days. A mail tells the users.',
  ]);
});

test('several are in the plural', () => {
  expect(heldBackLines({ drafts: 2, targets: 3, comments: 4, deletions: 5 })).toEqual([
    '2 scheduled posts may have been published after the backup, and became drafts, as their logs show.',
    '3 targets that were being published failed with PUBLISH_OUTCOME_UNKNOWN.',
    'First comments on 4 posts have an unknown outcome.',
    '5 accounts that were about to be deleted can be kept for another seven days. A mail tells the users.',
  ]);
});

test('what does not exist has no line', () => {
  expect(heldBackLines({ drafts: 0, targets: 0, comments: 0, deletions: 0 })).toEqual([]);
});
