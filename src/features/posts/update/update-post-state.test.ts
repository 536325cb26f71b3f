import { describe, expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { testService } from '../../../../test/support/service/service.ts';
import { updatePostStage } from '../../../../test/support/stages/update-post.ts';
import { setPlan } from '../../accounts/operator/users.ts';
import { dispatch } from '../../publishing/lanes/dispatcher.ts';

const { clock, service, ada, first, second, update, read, query, stored, inSeconds, aPost, aScheduledPost, refused } =
  updatePostStage();

const day = 86_400;
const eventsOf = async (id: string) => (await stored(id)).events.map(({ type }: { type: string }) => type);
const logsOf = async (id: string) =>
  (await stored(id)).logs.map(({ event, metadata }: { event: string; metadata: unknown }) => [event, metadata]);
const scheduled = ['scheduled', null];
const paused = ['status_changed', { from: 'scheduled', to: 'draft', reason: 'update' }];

describe('[states.schedule] from draft to scheduled', () => {
  test('with a time changes the targets and adds a log row and an event', async () => {
    const id = await aPost({ platforms: [first(), second()] });
    const at = inSeconds(day);
    const { body } = await update(id, { status: 'scheduled', scheduledTime: at });
    expect(body).toMatchObject({ scheduledTime: at, postGroup: { status: 'scheduled', scheduledTime: at } });
    expect(await read(id)).toMatchObject({
      status: 'scheduled',
      scheduledTime: at,
      posts: [{ status: 'scheduled' }, { status: 'scheduled' }],
    });
    expect(await logsOf(id)).toEqual([scheduled]);
    const { events } = await stored(id);
    expect(events).toMatchObject([
      {
        type: 'post.scheduled',
        user_id: ada().id,
        data: { postGroupId: id, scheduledTime: at, platforms: [first(), second()] },
      },
    ]);
  });

  test('without any time schedules for now', async () => {
    const id = await aPost();
    const { body } = await update(id, { status: 'scheduled' });
    expect(body.scheduledTime).toBe(inSeconds(0));
    expect(body).not.toHaveProperty('warnings');
  });

  test('uses the stored time', async () => {
    const id = await aPost();
    const at = inSeconds(day);
    const kept = await update(id, { scheduledTime: at });
    expect(kept.body.postGroup).toMatchObject({ status: 'draft', scheduledTime: at });
    expect([await logsOf(id), await eventsOf(id)]).toEqual([[], []]);
    expect((await update(id, { status: 'scheduled' })).body).toMatchObject({ scheduledTime: at });
  });

  test.each([
    ['2027-05-01T10:00:00Z', '2027-05-01T10:00:00.000Z'],
    ['2027-05-01T10:00:00.250Z', '2027-05-01T10:00:00.250Z'],
    ['2027-05-01T10:00:00+02:00', '2027-05-01T08:00:00.000Z'],
    ['2027-05-01T10:00:00.5-05:30', '2027-05-01T15:30:00.500Z'],
  ])('reads the time %s as %s', async (scheduledTime, at) => {
    const { body } = await update(await aPost(), { status: 'scheduled', scheduledTime });
    expect([body.scheduledTime, body.postGroup.scheduledTime]).toEqual([at, at]);
  });

  describe('[create-post.past-time] past times', () => {
    test('a time less than five minutes ago is changed to server time, with a warning', async () => {
      const requested = inSeconds(-299);
      const { body } = await update(await aPost(), { status: 'scheduled', scheduledTime: requested });
      const effective = inSeconds(0);
      expect(body.scheduledTime).toBe(effective);
      const message = `Requested scheduled time ${requested} was in the past and was changed to server time ${effective}.`;
      expect(body.warnings).toEqual([{ code: 'SCHEDULED_TIME_COERCED', message, requested, effective }]);
    });

    test('a time five minutes ago is refused', async () => {
      const error = `Scheduled time is in the past. Server time is ${inSeconds(0)} UTC.`;
      await refused(
        await aPost(),
        { status: 'scheduled', scheduledTime: inSeconds(-300) },
        {
          status: 400,
          body: {
            error,
            code: 'SCHEDULED_TIME_IN_PAST',
            serverTime: inSeconds(0),
          },
        },
      );
    });

    test('a stored time that has passed is checked when the post is scheduled, not before', async () => {
      const id = await aPost();
      await update(id, { scheduledTime: inSeconds(60) });
      clock.advance({ seconds: 120 });
      expect((await update(id, { content: 'Later' })).body).not.toHaveProperty('warnings');
      const { body } = await update(id, { status: 'scheduled' });
      expect(body).toMatchObject({ scheduledTime: inSeconds(0), warnings: [{ requested: inSeconds(-60) }] });

      await update(id, { status: 'draft', scheduledTime: inSeconds(60) });
      clock.advance({ seconds: 360 });
      await refused(id, { status: 'scheduled' }, { status: 400, body: { code: 'SCHEDULED_TIME_IN_PAST' } });
      expect((await update(id, { status: 'scheduled', scheduledTime: inSeconds(day) })).status).toBe(200);
    });

    test('with STRICT_PAST_TIMES=off any past time is changed to server time', async () => {
      const lenient = await testService({ clock, environment: { STRICT_PAST_TIMES: 'off' } });
      try {
        const ben = await lenient.aUser();
        const post = { content: 'x', platforms: [await ben.aConnection()] };
        const { postGroupId } = (await ben.call('POST', '/create-post', post)).body;
        const edit = { status: 'scheduled', scheduledTime: inSeconds(-day) };
        const { status, body } = await ben.call('PUT', `/update-post/${postGroupId}`, edit);
        expect([status, body.warnings?.[0]?.code]).toEqual([200, 'SCHEDULED_TIME_COERCED']);
      } finally {
        await lenient.close();
      }
    });
  });

  test('warns if the same text goes to the same account within a day', async () => {
    const other = await aScheduledPost({ content: 'Said twice' });
    const id = await aPost({ content: 'Said twice' });
    const { body } = await update(id, { status: 'scheduled', scheduledTime: inSeconds(day) });
    expect(body.warnings).toMatchObject([{ code: 'DUPLICATE_CONTENT', postGroupId: other, platformId: first() }]);
  });
});

describe('[states] update-post of a scheduled post', () => {
  test('back to draft keeps the time, adds a log row and releases the reservation', async () => {
    const before = (await stored(await aPost())).counters;
    const id = await aScheduledPost();
    const { scheduledTime } = await read(id);
    const { body } = await update(id, { status: 'draft' });
    expect(body).toMatchObject({ scheduledTime, postGroup: { status: 'draft', scheduledTime } });
    expect(await read(id)).toMatchObject({ status: 'draft', scheduledTime, posts: [{ status: 'draft' }] });
    expect(await logsOf(id)).toEqual([scheduled, paused]);
    expect((await stored(id)).counters).toEqual(before);
    clock.advance({ seconds: 2 * day });
    await publishDue(service().app);
    expect((await read(id)).status).toBe('draft');
  });

  test('back to draft and scheduled again adds a log row each, and one event', async () => {
    const id = await aScheduledPost();
    await update(id, { status: 'draft' });
    await update(id, { status: 'scheduled' });
    expect(await logsOf(id)).toEqual([scheduled, paused, scheduled]);
    expect(await eventsOf(id)).toEqual(['post.scheduled', 'post.scheduled']);
  });

  test('a new time adds no log row and no event', async () => {
    const id = await aScheduledPost();
    const before = await stored(id);
    const at = inSeconds(2 * day);
    const { body } = await update(id, { scheduledTime: at });
    expect(body).toMatchObject({ scheduledTime: at, postGroup: { status: 'scheduled' } });
    const after = await stored(id);
    expect([after.logs, after.events]).toEqual([before.logs, before.events]);
    clock.advance({ seconds: day + 1 });
    await publishDue(service().app);
    expect((await read(id)).status).toBe('scheduled');
    clock.advance({ seconds: day });
    await publishDue(service().app);
    expect((await read(id)).status).toBe('published');
  });

  test('status scheduled again changes only the version', async () => {
    const id = await aScheduledPost();
    const before = await stored(id);
    expect((await update(id, { status: 'scheduled' })).status).toBe(200);
    const after = await stored(id);
    expect(after).toEqual({ ...before, group: { ...before.group, version: before.group.version + 1 } });
  });

  test('the updated text is published to the updated targets', async () => {
    const id = await aScheduledPost({ content: 'As it was', platforms: [first()] });
    await update(id, { content: 'As it is', platforms: [second()] });
    clock.advance({ seconds: day });
    await publishDue(service().app);
    expect(await read(id)).toMatchObject({ status: 'published', platforms: [second()] });
    const texts = (await service().sandbox.posts()).map(({ text }) => text);
    expect([texts.includes('As it was'), texts.filter((text) => text === 'As it is').length]).toEqual([false, 1]);
  });
});

describe('[update-post.publish-now] publishNow', () => {
  test('of a draft publishes it without a post.scheduled event', async () => {
    const id = await aPost();
    const { body } = await update(id, { publishNow: true });
    expect(body).toMatchObject({ scheduledTime: inSeconds(0), postGroup: { status: 'scheduled' } });
    expect([await logsOf(id), await eventsOf(id)]).toEqual([[scheduled], []]);
    await publishDue(service().app);
    expect((await read(id)).status).toBe('published');
  });

  test('of a scheduled post publishes it immediately', async () => {
    const id = await aScheduledPost();
    const before = await stored(id);
    const { body } = await update(id, { publishNow: true, content: 'Sooner' });
    expect(body.scheduledTime).toBe(inSeconds(0));
    const after = await stored(id);
    expect([after.logs, after.events, after.counters]).toEqual([before.logs, before.events, before.counters]);
    await publishDue(service().app);
    expect(await read(id)).toMatchObject({ status: 'published', posts: [{ content: 'Sooner' }] });
  });

  test('can be combined with a time in the past and with status scheduled', async () => {
    for (const more of [{ scheduledTime: inSeconds(-day) }, { status: 'scheduled' }, { scheduledTime: inSeconds(0) }]) {
      const { status, body } = await update(await aPost(), { publishNow: true, ...more });
      expect([status, body.scheduledTime, body.warnings]).toEqual([200, inSeconds(0), undefined]);
    }
  });

  test('false changes neither status nor time', async () => {
    const [draft, later] = [await aPost(), await aScheduledPost()];
    expect((await update(draft, { publishNow: false })).body.postGroup.status).toBe('draft');
    const { scheduledTime } = await read(later);
    expect((await update(later, { publishNow: false })).body).toMatchObject({ scheduledTime });
  });

  test('survives an update, and ends with a new time or status draft', async () => {
    const flag = async (id: string) => (await stored(id)).group.publish_now;
    const id = await aPost({ publishNow: true });
    await update(id, { content: 'Edited' });
    expect(await flag(id)).toBe(true);
    await update(id, { scheduledTime: inSeconds(day) });
    expect(await flag(id)).toBe(false);
    await update(id, { publishNow: true });
    await update(id, { status: 'draft' });
    expect(await flag(id)).toBe(false);
    await update(id, { status: 'scheduled', scheduledTime: inSeconds(day) });
    expect(await flag(id)).toBe(false);
  });
});

describe('[update-post.limits] the plan', () => {
  /** A post scheduled on Pro, for X and a month ahead. Its user is now on Starter, which allows neither. */
  async function outgrown() {
    const ben = await service().aUser();
    const targets = [
      await ben.aConnection('twitter'),
      await ben.aConnection('bluesky'),
      await ben.aConnection('threads'),
    ];
    const post = { content: 'x', platforms: targets.slice(0, 2), scheduledTime: inSeconds(30 * day) };
    const { postGroupId } = (await ben.call('POST', '/create-post', post)).body;
    await setPlan(service().app, { user: ben.id, plan: 'starter' });
    // The plan is cached with the API key for five seconds.
    clock.advance({ seconds: 5 });
    return { targets, edit: (body: object) => ben.call('PUT', `/update-post/${postGroupId}`, body) };
  }

  test('is checked when a scheduled post gets another time', async () => {
    const { edit, targets } = await outgrown();
    const unavailable = { code: 'PLATFORM_NOT_AVAILABLE', disallowedPlatforms: ['twitter'] };
    expect(await edit({ scheduledTime: inSeconds(day) })).toMatchObject({ status: 403, body: unavailable });
    expect(await edit({ scheduledTime: inSeconds(20 * day), platforms: [targets[1]] })).toMatchObject({
      status: 403,
      body: { code: 'SCHEDULE_HORIZON_REACHED' },
    });
    expect((await edit({ scheduledTime: inSeconds(day), platforms: [targets[1]] })).status).toBe(200);
  });

  test('is checked for targets that are added to a scheduled post', async () => {
    const { edit, targets } = await outgrown();
    expect(await edit({ platforms: targets })).toMatchObject({
      status: 403,
      body: { code: 'SCHEDULE_HORIZON_REACHED' },
    });
  });

  test('does not prevent any other update', async () => {
    const { edit, targets } = await outgrown();
    for (const body of [
      { content: 'Edited' },
      { firstComment: null },
      { platforms: [targets[0]] },
      { publishNow: true },
    ]) {
      expect((await edit(body)).status).toBe(200);
    }
    expect((await edit({ status: 'draft' })).status).toBe(200);
    expect(await edit({ status: 'scheduled', scheduledTime: inSeconds(day) })).toMatchObject({
      status: 403,
      body: { code: 'PLATFORM_NOT_AVAILABLE' },
    });
  });
});

describe('[update-post.not-editable] posts that cannot be edited any more', () => {
  const edits = [{ content: 'Too late' }, { status: 'draft' }, { publishNow: true }, { platforms: [] }];
  const notEditable = (status: string) => ({
    error: `Cannot update post: post is currently in ${status} status`,
    code: 'POST_NOT_EDITABLE',
  });

  test.each([
    ['published', 0],
    ['failed', 2],
    ['partially_published', 1],
  ])('a post that is %s is not editable', async (status, failures) => {
    const id = await aPost({ platforms: [first(), second()], publishNow: true });
    if (failures > 0) {
      await service().sandbox.fault({ kind: 'status', operation: 'publish', status: 422, times: failures });
    }
    await publishDue(service().app);
    expect((await read(id)).status).toBe(status);
    for (const edit of edits) await refused(id, edit, { status: 400, body: notEditable(status) });
  });

  test.each(['published', 'failed'])('a post with a target that is %s is not editable', async (status) => {
    const id = await aScheduledPost({ platforms: [first(), second()] });
    await query(
      `update platform_posts set status = $2, posted_id = '1', error = '{"code":"UNKNOWN_ERROR"}' where post_group_id = $1 and position = 2`,
      [id, status],
    );
    const error = `Cannot edit a post with a child in ${status} status.`;
    for (const edit of edits) await refused(id, edit, { status: 400, body: { error, code: 'POST_NOT_EDITABLE' } });
  });

  test('a post that was dispatched is being published', async () => {
    const id = await aPost({ publishNow: true });
    await dispatch(service().app);
    const error = 'Post publishing has already started; the post can no longer be edited.';
    for (const edit of edits)
      await refused(id, edit, { status: 409, body: { error, code: 'POST_PUBLISH_IN_PROGRESS' } });
    await publishDue(service().app);
  });

  test.each(['pending', 'processing'])('a post with a target that is %s is being published', async (status) => {
    const id = await aScheduledPost({ platforms: [first(), second()] });
    await query('update platform_posts set status = $2 where post_group_id = $1 and position = 2', [id, status]);
    const error = expect.stringMatching(/retrying this edit could publish stale or duplicate content\.$/);
    for (const edit of edits)
      await refused(id, edit, { status: 409, body: { error, code: 'POST_PUBLISH_IN_PROGRESS' } });
  });
});
