import { expect, test } from 'vitest';
import { platformStage, standingClock, toTheEnd } from '../../../test/support/stages/platform.ts';
import { threads } from './index.ts';
import { publish } from './publish.ts';
import { remove } from './remove.ts';
import { scope } from './scopes.ts';

const clock = standingClock();
const { sandbox, aMember, aPost, content, postsOf } = platformStage(threads, { now: clock.now });

test('a post stays, with a reason, if the account was connected with what publishing needs alone', async () => {
  const member = await aMember('ann');
  const asked = { network: 'threads', handle: 'ann', scope };
  const { credentials } = await sandbox().control<{ credentials: unknown }>('POST', '/accounts', asked);
  const narrow = { ...member, credentials: threads.credentials.parse(credentials) };
  const { id } = await toTheEnd(() => publish(content('For good'), aPost(narrow)()), clock.skip);
  expect(await remove(id, aPost(narrow)())).toEqual({
    isGone: false,
    why: expect.stringContaining('does not have permission'),
  });
  expect(await postsOf(member)).toMatchObject([{ id }]);
});
