import { beforeAll, describe, expect, test } from 'vitest';
import { testClock } from '../../../../test/support/service/app.ts';
import { createPostStage } from '../../../../test/support/stages/create-post.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const stage = createPostStage(clock);
const { create, created, fromNow } = stage;
let mastodon: string;
let linkedin: string;
beforeAll(async () => {
  mastodon = await stage.ada().aConnection();
  linkedin = await stage.ada().aConnection('linkedin');
});

describe('[states] the events of create-post', () => {
  const eventsOf = async (id: string) =>
    (
      await stage
        .service()
        .database.pool.query(
          `select type, body::json -> 'data' as data, user_id, created_at from events where post_group_id = $1`,
          [id],
        )
    ).rows;

  test('post.scheduled for a scheduled post, with its effective time and targets', async () => {
    const platforms = [mastodon, linkedin];
    const { id } = await created({ platforms, scheduledTime: '2027-05-05T12:00:00+02:00' });
    expect(await eventsOf(id)).toEqual([
      {
        type: 'post.scheduled',
        data: { postGroupId: id, scheduledTime: '2027-05-05T10:00:00.000Z', platforms },
        user_id: stage.ada().id,
        created_at: clock.now(),
      },
    ]);
  });

  test('no event for a draft or for publishNow', async () => {
    for (const body of [{}, { publishNow: true }]) {
      const { id } = await created({ platforms: [mastodon], ...body });
      expect(await eventsOf(id)).toEqual([]);
    }
  });

  test('a retry adds no event', async () => {
    const headers = { 'idempotency-key': 'event-1' };
    const body = { content: 'Once', platforms: [mastodon], scheduledTime: fromNow(3600) };
    const { postGroupId } = (await create(body, headers)).body;
    await create(body, headers);
    expect(await eventsOf(postGroupId)).toHaveLength(1);
  });

  test.for<[title: string, body: object, status: string]>([
    ['without a time', {}, 'draft'],
    ['with an empty time', { scheduledTime: '' }, 'draft'],
    ['with a time', { scheduledTime: '2027-08-01T00:00:00Z' }, 'scheduled'],
    ['with publishNow', { publishNow: true }, 'scheduled'],
  ])('%s, group and targets have the same status', async ([, body, status]) => {
    const { group } = await created({ platforms: [mastodon, linkedin], ...body });
    expect(group).toMatchObject({ status, posts: [{ status }, { status }] });
  });
});
