import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { workState } from '../../../surfaces/health/queries.ts';
import { activateUser, deactivateUser, setAccess } from '../../accounts/operator/switches.ts';
import { nextDueTime } from '../lanes/dispatch-queries.ts';

const hour = 3_600;
const clock = testClock();
let service: TestService;
beforeAll(async () => {
  service = await testService({ clock });
});
afterAll(() => service.close());

const run = () => publishDue(service.app);
const later = async (seconds: number) => {
  clock.advance({ seconds });
  await run();
};
const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();
const sent = async (text: string) => (await service.sandbox.posts()).filter((post) => post.text.includes(text)).length;
const events = async (groupId: string) => {
  const { rows } = await service.database.pool.query<{ event: string; error: string | null }>(
    'select event, error from post_logs where post_group_id = $1 order by created_at, id',
    [groupId],
  );
  return rows;
};

async function aScheduledPost(user: TestUser, content: string, more: object = {}) {
  const platforms = [await user.aConnection()];
  const post = { content, platforms, scheduledTime: inSeconds(60), ...more };
  return (await user.call('POST', '/create-post', post)).body.postGroupId as string;
}
const outcome = async (user: TestUser, groupId: string) => {
  const { status, posts } = (await user.call('GET', `/get-post/${groupId}`)).body;
  return [status, posts[0].status, posts[0].error?.code ?? null];
};

describe('a post of a deactivated account', () => {
  test('waits, says so once in its log, and goes out when the account is active again', async () => {
    const ada = await service.aUser();
    const id = await aScheduledPost(ada, 'Waits for a while');
    await deactivateUser(service.app, ada.id);
    await later(61);
    await later(hour);
    expect(await sent('Waits for a while')).toBe(0);
    expect((await events(id)).slice(1)).toEqual([
      { event: 'publish_held', error: expect.stringContaining('The account is deactivated. The post waits') },
    ]);

    await activateUser(service.app, ada.id);
    await run();
    expect(await sent('Waits for a while')).toBe(1);
    expect(await outcome(ada, id)).toEqual(['published', 'published', null]);
  });

  test('fails with the reason if the account stays deactivated for a day', async () => {
    const ada = await service.aUser();
    const id = await aScheduledPost(ada, 'Waits for too long');
    await deactivateUser(service.app, ada.id);
    await later(61);
    await later(24 * hour);
    await activateUser(service.app, ada.id);
    await run();
    expect(await sent('Waits for too long')).toBe(0);
    expect(await outcome(ada, id)).toEqual(['failed', 'failed', 'ACCOUNT_DEACTIVATED']);
  });

  test('also waits if it was handed to a worker before, and its log says so once', async () => {
    const ada = await service.aUser();
    const id = await aScheduledPost(ada, 'Is being retried');
    await service.sandbox.fault({ kind: 'status', operation: 'publish', status: 503, times: 1 });
    await later(61);
    await deactivateUser(service.app, ada.id);
    await later(hour);
    await later(hour);
    expect(await sent('Is being retried')).toBe(0);
    expect((await events(id)).filter(({ event }) => event === 'publish_held')).toHaveLength(1);
    await activateUser(service.app, ada.id);
    await later(60);
    expect(await outcome(ada, id)).toEqual(['published', 'published', null]);
  });

  test('waits with its first comments', async () => {
    const ada = await service.aUser();
    await aScheduledPost(ada, 'Has a comment', { firstComment: { text: 'The comment', delaySeconds: 600 } });
    await later(61);
    await deactivateUser(service.app, ada.id);
    await later(hour);
    expect([await sent('Has a comment'), await sent('The comment')]).toEqual([1, 0]);
    await activateUser(service.app, ada.id);
    await later(60);
    expect(await sent('The comment')).toBe(1);
  });

  test('waits with the account of the owner, whose managed user it belongs to', async () => {
    const owner = await service.aUser();
    await setAccess(service.app, owner.id, { workspace: true });
    const { body } = await owner.call('POST', '/workspace/users', { username: 'client@example.com' });
    const managed = { 'x-service-user': body.user._id as string };
    const id = await aScheduledPost(owner, 'Of the owner');
    await service.database.pool.query('update post_groups set user_id = $1 where id = $2', [
      managed['x-service-user'],
      id,
    ]);
    await deactivateUser(service.app, owner.id);
    await later(61);
    expect(await sent('Of the owner')).toBe(0);
    await activateUser(service.app, owner.id);
    await run();
    expect(await sent('Of the owner')).toBe(1);
  });
});

test('posts that wait neither keep the dispatcher awake nor make the service unready, and those of others go out', async () => {
  const [ada, eve] = [await service.aUser(), await service.aUser()];
  await aScheduledPost(ada, 'Of a closed account');
  await aScheduledPost(eve, 'Of an open account');
  await deactivateUser(service.app, ada.id);
  await later(hour);
  expect([await sent('Of a closed account'), await sent('Of an open account')]).toEqual([0, 1]);
  const { app } = service;
  expect(await nextDueTime(app.db, clock.now(), new Date(0))).toBeNull();
  expect(await workState(app.db, app.workerId, clock.now())).toMatchObject({ overdueSeconds: null });
});
