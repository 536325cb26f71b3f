import { expect, test } from 'vitest';
import { fullShares } from './lane-queries.ts';

const shareOf = (lanes: number, platform = 'mastodon') => ({ platform, owner: 'ada', lanes });

test('an owner gets a further slot while it has less than three for each free one', () => {
  expect(fullShares([shareOf(5)], { mastodon: 2 })).toEqual([]);
});

test('an owner with three slots for each free one gets no further one', () => {
  expect(fullShares([shareOf(6)], { mastodon: 2 })).toEqual([shareOf(6)]);
});

test('no owner gets a slot of a platform that has none', () => {
  const shares = [shareOf(1), shareOf(1, 'twitter')];
  expect(fullShares(shares, { mastodon: 0 })).toEqual(shares);
});
