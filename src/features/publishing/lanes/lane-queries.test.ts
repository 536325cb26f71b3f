import { expect, test } from 'vitest';
import { fullShares, slotsPerFreeSlot } from './lane-queries.ts';

const shareOf = (lanes: number, platform = 'mastodon') => ({ platform, owner: 'ada', lanes });

test('an owner gets a further slot while enough are free', () => {
  expect(fullShares([shareOf(2 * slotsPerFreeSlot - 1)], { mastodon: 2 })).toEqual([]);
});

test('an owner with as many slots as the free ones allow gets no further one', () => {
  expect(fullShares([shareOf(2 * slotsPerFreeSlot)], { mastodon: 2 })).toEqual([shareOf(2 * slotsPerFreeSlot)]);
});

test('no owner gets a slot of a platform that has none', () => {
  const shares = [shareOf(1), shareOf(1, 'twitter')];
  expect(fullShares(shares, { mastodon: 0 })).toEqual(shares);
});
