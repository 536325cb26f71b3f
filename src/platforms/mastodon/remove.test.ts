import { expect, test } from 'vitest';
import { platformStage } from '../../../test/support/stages/platform.ts';
import { mastodon } from './index.ts';
import { publish } from './publish.ts';
import { remove } from './remove.ts';

const { aMember, aPost, content, postsOf } = platformStage(mastodon);

test('a post stays, with a reason, on a server that does not delete', async () => {
  const member = await aMember('ann@small.mastodon.example');
  const { id } = await publish(content('For good'), aPost(member)());
  expect(await remove(id, aPost(member)())).toEqual({
    isGone: false,
    why: 'the post still exists and could not be deleted: 404 Not Found',
  });
  expect(await postsOf(member)).toMatchObject([{ id }]);
});

test('a post is gone after it was deleted, and after it was deleted again', async () => {
  const member = await aMember('ann');
  const { id } = await publish(content('Not for good'), aPost(member)());
  expect(await remove(id, aPost(member)())).toEqual({ isGone: true });
  expect(await postsOf(member)).toEqual([]);
  expect(await remove(id, aPost(member)())).toEqual({ isGone: true });
});
