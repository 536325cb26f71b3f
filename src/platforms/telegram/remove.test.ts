import { expect, test } from 'vitest';
import { platformStage, standingClock } from '../../../test/support/stages/platform.ts';
import { telegram } from './index.ts';
import { publish } from './publish.ts';
import { remove } from './remove.ts';

const clock = standingClock();
const { aMember, aPost, content, postsOf } = platformStage(telegram, { now: clock.now });

test('a message that is older than 48 hours stays, with the reason', async () => {
  const member = await aMember();
  const { id } = await publish(content('Long ago'), aPost(member)());
  clock.skip(48 * 3600);
  expect(await remove(id, aPost(member)())).toEqual({
    isGone: false,
    why: "Bad Request: message can't be deleted",
  });
  expect(await postsOf(member)).toMatchObject([{ id }]);
});

test('a message that Telegram has not numbered yet cannot be deleted', async () => {
  expect(await remove('0', aPost(await aMember())())).toMatchObject({ isGone: false });
});
