import { describe, expect, test } from 'vitest';
import { updatePostStage } from '../../../../test/support/stages/update-post.ts';

/** One day after the start of the clock. */
const soon = '2027-03-05T05:06:07.000Z';
const { clock, service, ada, first, second, update, read, stored, aPost, lastContent, aScheduledPost, refused } =
  updatePostStage();

describe('[update-post.response] the answer', () => {
  test('to an update of a draft without a time has these keys and no other', async () => {
    const id = await aPost();
    const { status, body } = await update(id, { content: 'Edited' });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      success: true,
      message: 'Post updated successfully',
      scheduledTime: null,
      postGroup: { _id: id, status: 'draft', content: 'Edited', platforms: [first()] },
    });
  });

  test('has the time in both places if there is one', async () => {
    const id = await aPost();
    const { body } = await update(id, { status: 'scheduled', scheduledTime: '2027-03-05T07:06:07+02:00' });
    expect(body).toStrictEqual({
      success: true,
      message: 'Post updated successfully',
      scheduledTime: soon,
      postGroup: {
        _id: id,
        status: 'scheduled',
        content: lastContent(),
        platforms: [first()],
        scheduledTime: soon,
      },
    });
  });

  test('has content and platforms even if they are empty', async () => {
    const id = await aPost();
    const { body } = await update(id, { content: '', platforms: [] });
    expect(body.postGroup).toStrictEqual({ _id: id, status: 'draft', content: '', platforms: [] });
  });

  test('accepts the id in upper or lower case', async () => {
    const id = await aPost();
    const { status, body } = await update(id.toUpperCase(), { content: 'Edited' });
    expect([status, body.postGroup._id]).toEqual([200, id]);
  });

  test('is the same when x-service-user-id names the owner of the key', async () => {
    const id = await aPost();
    const { status } = await update(id, { content: 'Edited' }, { 'x-service-user-id': ada().id });
    expect(status).toBe(200);
  });
});

describe('[update-post] fields that are left out stay as they are', () => {
  const full = () => ({
    platforms: [first(), second()],
    scheduledTime: soon,
    platformSettings: { telegram: { protectContent: true } },
    firstComments: [{ text: 'One' }, { text: 'Two', delaySeconds: 60 }],
  });
  const edits: [field: string, edit: () => unknown, changed: string[]][] = [
    ['content', () => ({ content: 'Another text' }), ['posts']],
    ['platforms', () => ({ platforms: [first()] }), ['platforms', 'posts']],
    ['scheduledTime', () => ({ scheduledTime: '2027-03-06T08:00:00Z' }), ['scheduledTime']],
    ['status', () => ({ status: 'draft' }), ['status', 'posts']],
    ['platformSettings', () => ({ platformSettings: { threads: { replyControl: 'everyone' } } }), ['platformSettings']],
    ['firstComment', () => ({ firstComment: { text: 'Only' } }), ['firstComment', 'firstComments']],
    ['firstComments', () => ({ firstComments: [] }), ['firstComment', 'firstComments']],
  ];
  test.each(edits)('%s alone changes nothing else', async (_field, edit, changed) => {
    const id = await aPost(full());
    const before = await read(id);
    const { status } = await update(id, edit());
    expect(status).toBe(200);
    const after = await read(id);
    const differing = Object.keys(before).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
    expect(differing.toSorted()).toEqual(changed.toSorted());
  });

  test.each([{ status: '' }, { status: null }, { status: 0 }, { status: false }])(
    '%j beside another field is as good as absent',
    async (falsy) => {
      const id = await aScheduledPost();
      const { body } = await update(id, { content: 'Edited', ...falsy });
      expect(body.postGroup).toMatchObject({ status: 'scheduled', content: 'Edited' });
    },
  );

  test.each([{ scheduledTime: '' }, { scheduledTime: null }, { scheduledTime: 0 }, { scheduledTime: false }])(
    '%j beside another field is as good as absent',
    async (falsy) => {
      const id = await aScheduledPost();
      const { status, body } = await update(id, { content: 'Edited', ...falsy });
      expect([status, body.scheduledTime]).toEqual([200, soon]);
    },
  );

  test('the version increases and updatedAt changes', async () => {
    const id = await aPost();
    const before = await stored(id);
    clock.advance({ seconds: 1 });
    await update(id, { content: 'Edited' });
    const after = await stored(id);
    expect(after.group.version).toBe(before.group.version + 1);
    expect(new Date(after.group.updated_at)).toEqual(clock.now());
    expect(after.group.created_at).toBe(before.group.created_at);
  });
});

describe('[update-post.content] content', () => {
  test('replaces the text of the group and of every target, which keep their ids', async () => {
    const id = await aPost({ platforms: [first(), second()] });
    const before = await read(id);
    await update(id, { content: 'Edited' });
    const after = await read(id);
    expect(after.posts.map(({ content }: { content: string }) => content)).toEqual(['Edited', 'Edited']);
    expect(after.posts.map(ids)).toEqual(before.posts.map(ids));
    expect((await stored(id)).group.content).toBe('Edited');
  });

  test('does not replace the text of a target that has its own', async () => {
    const id = await aPost({ platforms: [first(), second()] });
    await service().database.pool.query(
      `update platform_posts set content = 'Mine', content_overridden = true where post_group_id = $1 and position = 1`,
      [id],
    );
    const { body } = await update(id, { content: 'Edited' });
    expect(body.postGroup.content).toBe('Edited');
    await update(id, { platforms: [second(), first()], content: 'Edited again' });
    const { targets } = await stored(id);
    expect(
      targets.map((t: { content: string; content_overridden: boolean }) => [t.content, t.content_overridden]),
    ).toEqual([
      ['Mine', true],
      ['Edited again', false],
    ]);
  });

  test('is split again for X and Threads, and only there', async () => {
    const [x, threads] = [await ada().aConnection('twitter'), await ada().aConnection('threads')];
    const id = await aPost({ platforms: [x, threads, first()], content: 'one\n---\ntwo\n---\nthree' });
    const partsOf = async () =>
      (await read(id)).posts.map((post: { threadParts: { content: string }[]; isThread: boolean }) => {
        expect(post.isThread).toBe(post.threadParts.length > 0);
        return post.threadParts.map(({ content }) => content);
      });
    expect(await partsOf()).toEqual([['one', 'two', 'three'], ['one', 'two', 'three'], []]);
    await update(id, { content: 'one\n---\nlast' });
    expect(await partsOf()).toEqual([['one', 'last'], ['one', 'last'], []]);
    expect((await read(id)).posts[0].threadParts[1]).toEqual({
      index: 1,
      content: 'last',
      status: 'pending',
      publishedId: null,
    });
    await update(id, { content: 'Short' });
    expect(await partsOf()).toEqual([[], [], []]);
  });

  test('may be empty on a draft, which then cannot be scheduled', async () => {
    const id = await aPost();
    expect((await update(id, { content: '' })).status).toBe(200);
    const body = await refused(id, { status: 'scheduled', scheduledTime: soon }, { status: 400 });
    expect(body).toMatchObject({ error: 'Validation failed', validation: { valid: false } });
    expect(body.validation.errors[0]).toMatchObject({ code: 'CONTENT_OR_MEDIA_REQUIRED', field: 'content' });
  });

  test('may not be empty on a scheduled post, but may if it becomes a draft', async () => {
    const id = await aScheduledPost();
    await refused(id, { content: '' }, { status: 400, body: { error: 'Validation failed' } });
    expect((await update(id, { content: '', status: 'draft' })).status).toBe(200);
  });
});

describe('[update-post.platforms] platforms', () => {
  test('replace all targets: removed ones lose their platform post, the others keep theirs', async () => {
    const third = await ada().aConnection();
    const id = await aPost({ platforms: [first(), second()] });
    const before = await read(id);
    const { body } = await update(id, { platforms: [third, second()] });
    expect(body.postGroup.platforms).toEqual([third, second()]);
    const after = await read(id);
    expect(after.platforms).toEqual([third, second()]);
    expect(after.posts[1]._id).toBe(before.posts[1]._id);
    expect(after.posts.map(ids)).not.toContain(before.posts[0]._id);
    expect(after.posts[0]).toMatchObject({ content: lastContent(), status: 'draft', postedId: null });
    expect((await stored(id)).group).toMatchObject({ target_count: 2, open_targets: 2 });
  });

  test('in another order change nothing', async () => {
    const id = await aPost({ platforms: [first(), second()] });
    const before = await read(id);
    const { status, body } = await update(id, { platforms: [second(), first()] });
    expect([status, body.postGroup.platforms]).toEqual([200, [first(), second()]]);
    expect(await read(id)).toEqual(before);
  });

  test('may be sent as a JSON string', async () => {
    const id = await aPost();
    const { body } = await update(id, { platforms: JSON.stringify([second()]) });
    expect(body.postGroup.platforms).toEqual([second()]);
  });

  test('may be empty on a draft and be added later', async () => {
    const id = await aPost();
    await update(id, { platforms: [] });
    expect(await read(id)).toMatchObject({ platforms: [], posts: [] });
    expect((await stored(id)).group).toMatchObject({ target_count: 0, open_targets: 0 });
    const { body } = await update(id, { platforms: [second()], status: 'scheduled', scheduledTime: soon });
    expect(body.postGroup).toMatchObject({ status: 'scheduled', platforms: [second()] });
    expect((await read(id)).posts).toMatchObject([{ content: lastContent(), status: 'scheduled' }]);
  });

  test('may be empty if the post becomes a draft', async () => {
    const id = await aScheduledPost();
    expect((await update(id, { platforms: [], status: 'draft' })).body.postGroup).toMatchObject({ platforms: [] });
  });

  test.each([
    ['of a scheduled post', soon, { platforms: [] }],
    ['when the post is to be scheduled', undefined, { platforms: [], status: 'scheduled', scheduledTime: soon }],
    ['when the post is to be published now', undefined, { platforms: [], publishNow: true }],
  ])('none %s is PLATFORMS_REQUIRED', async (_when, scheduledTime, edit) => {
    const body = await refused(await aPost(scheduledTime ? { scheduledTime } : {}), edit, { status: 400 });
    expect(body).toStrictEqual({
      error: 'PLATFORMS_REQUIRED',
      code: 'PLATFORMS_REQUIRED',
      message: 'At least one platform is required to schedule a post. Add a platform or keep the post as a draft.',
    });
  });

  test('of a draft whose account is no longer connected can be edited but not scheduled', async () => {
    const gone = await ada().aConnection();
    const id = await aPost({ platforms: [first(), gone] });
    await disconnect(gone);
    const before = await read(id);
    const { status, body } = await update(id, { content: 'Edited' });
    expect([status, body.postGroup?.platforms]).toEqual([200, [first(), gone]]);
    expect((await read(id)).posts.map(ids)).toEqual(before.posts.map(ids));
    await refused(id, { status: 'scheduled', scheduledTime: soon }, invalidConnection(gone));
    expect((await update(id, { platforms: [first()], status: 'scheduled', scheduledTime: soon })).status).toBe(200);
  });

  test('of a scheduled post whose account is no longer connected can become a draft', async () => {
    const gone = await ada().aConnection();
    const id = await aScheduledPost({ platforms: [first(), gone] });
    await disconnect(gone);
    expect((await update(id, { status: 'draft' })).body.postGroup?.status).toBe('draft');
  });

  test('belong to the account again after it was reconnected', async () => {
    const again = await ada().aConnection('bluesky');
    const id = await aPost({ platforms: [again] });
    const { rows } = await service().database.pool.query('select * from connections where account_id = $1', [
      again.slice('bluesky-'.length),
    ]);
    await disconnect(again);
    const row = { ...rows[0], id: 'a'.repeat(24) };
    await service().database.pool.query(
      'insert into connections select * from jsonb_populate_record(null::connections, $1)',
      [JSON.stringify(row)],
    );
    expect((await update(id, { status: 'scheduled', scheduledTime: soon })).status).toBe(200);
    expect((await stored(id)).targets[0].connection_id).toBe(row.id);
  });
});

describe('[update-post.settings] platformSettings', () => {
  test('are merged into those of the post', async () => {
    const id = await aPost({ platformSettings: { telegram: { protectContent: true } } });
    const before = (await read(id)).platformSettings;
    await update(id, {
      platformSettings: { telegram: { disableNotification: true }, threads: { replyControl: 'everyone' } },
    });
    expect((await read(id)).platformSettings).toEqual({
      ...before,
      telegram: { disableNotification: true, disableWebPagePreview: false, protectContent: true },
      threads: { replyControl: 'everyone' },
    });
  });

  test.each([
    ['true', true],
    ['1', true],
    ['yes', true],
    ['on', true],
    ['false', false],
    ['0', false],
    ['no', false],
    ['off', false],
  ])('accept "%s" for %j on every platform', async (word, value) => {
    const id = await aPost({ platformSettings: { youtube: { madeForKids: !value } } });
    expect((await update(id, { platformSettings: { youtube: { madeForKids: word } } })).status).toBe(200);
    expect((await read(id)).platformSettings.youtube.madeForKids).toBe(value);
  });
});

describe('[update-post.first-comments] first comments', () => {
  const comments = [{ text: 'One' }, { text: 'Two', delaySeconds: 60 }];
  const stay = async (id: string) => expect((await read(id)).firstComments).toEqual(comments);

  test('a single comment replaces the list', async () => {
    const id = await aPost({ firstComments: comments });
    await update(id, { firstComment: { text: 'Only', platforms: ['mastodon'] } });
    const only = { text: 'Only', platforms: ['mastodon'] };
    expect(await read(id)).toMatchObject({ firstComment: only, firstComments: [only] });
  });

  test('a list replaces the list, in the new order', async () => {
    const id = await aPost({ firstComments: comments });
    await update(id, { firstComments: comments.toReversed() });
    expect((await read(id)).firstComments).toEqual(comments.toReversed());
  });

  test.each([{ firstComment: null }, { firstComments: null }, { firstComments: [] }, { firstComment: { text: ' ' } }])(
    '%j removes them',
    async (edit) => {
      const id = await aPost({ firstComments: comments });
      expect((await update(id, edit)).status).toBe(200);
      expect(await read(id)).toMatchObject({ firstComment: null, firstComments: [] });
    },
  );

  test('stay when text, status and time change', async () => {
    const id = await aPost({ firstComments: comments });
    for (const edit of [{ content: 'Edited' }, { status: 'scheduled', scheduledTime: soon }, { status: 'draft' }]) {
      await update(id, edit);
      await stay(id);
    }
  });

  describe('that are now too long for the account', () => {
    const long = { text: 'x'.repeat(300) };
    const tooLong = {
      status: 400,
      body: { code: 'FIRST_COMMENT_TOO_LONG', platform: 'twitter', limit: 280, count: 300 },
    };
    async function outgrown(fields: Record<string, unknown>) {
      const x = await ada().aConnection('twitter', { subscriptionType: 'Premium' });
      const id = await aPost({ platforms: [x], firstComment: long, ...fields });
      await service().database.pool.query(`update connections set traits = '{}' where account_id = $1`, [
        x.slice('twitter-'.length),
      ]);
      forget();
      return { id, x };
    }

    test('are not checked when the time changes', async () => {
      const { id } = await outgrown({ scheduledTime: soon });
      const { status, body } = await update(id, { scheduledTime: '2027-03-06T08:00:00Z' });
      expect([status, body.code]).toEqual([200, undefined]);
    });

    test('are refused when the platforms change', async () => {
      const { id, x } = await outgrown({});
      await refused(id, { platforms: [x, first()] }, tooLong);
    });

    test('are refused when the post is scheduled or published', async () => {
      const { id } = await outgrown({});
      await refused(id, { status: 'scheduled', scheduledTime: soon }, tooLong);
      await refused(id, { publishNow: true }, tooLong);
    });
  });

  test('that no new target takes give a warning', async () => {
    const id = await aPost({ firstComment: { text: 'Hi', platforms: ['mastodon'] } });
    const { body } = await update(id, { platforms: [await ada().aConnection('telegram')] });
    expect(body.warnings).toMatchObject([{ code: 'FIRST_COMMENT_PLATFORM_NOT_TARGETED', platforms: ['mastodon'] }]);
    expect((await update(id, { scheduledTime: soon })).body).not.toHaveProperty('warnings');
  });
});

const ids = ({ _id }: { _id: string }) => _id;
const invalidConnection = (id: string) => ({
  status: 400,
  body: { code: 'INVALID_PLATFORM_CONNECTION', invalidPlatforms: [id] },
});

async function disconnect(platformId: string) {
  await service().database.pool.query(`delete from connections where platform || '-' || account_id = $1`, [platformId]);
  forget();
}

/** The connections are cached with the API key for five seconds. */
const forget = () => clock.advance({ seconds: 5 });
