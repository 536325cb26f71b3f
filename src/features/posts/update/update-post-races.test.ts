import { describe, expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { updatePostStage } from '../../../../test/support/stages/update-post.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { whoIs } from '../../auth/access/api-key.ts';
import { dispatchDue } from '../../publishing/lanes/dispatch-queries.ts';
import { dispatch } from '../../publishing/lanes/dispatcher.ts';
import { changeGroup, findEditable } from './edit-queries.ts';
import { resolveUpdate } from './resolve-update.ts';
import { storeUpdate } from './store-update.ts';
import { updatePostGroup } from './update-post.ts';

const day = 86_400;
const { clock, service, ada, first, second, update, read, query, stored, inSeconds, aPost, aScheduledPost } =
  updatePostStage();
describe('[idempotency] update-post with Idempotency-Key', () => {
  test('the same key and body returns the first answer, even if the post has changed since', async () => {
    const id = await aPost();
    const headers = { 'idempotency-key': 'edit-1' };
    const edit = { content: 'Once', status: 'scheduled', scheduledTime: inSeconds(day) };
    const once = await update(id, edit, headers);
    await update(id, { content: 'Twice' });
    const before = await stored(id);
    const { content, ...rest } = edit;
    const again = await update(id, { ...rest, content }, headers);
    expect([again.status, again.body]).toEqual([200, once.body]);
    expect(await stored(id)).toEqual(before);
  });

  test.each([
    ['a new text', { content: 'ä'.repeat(30_000) }],
    ['other labels', { labels: ['spring'] }],
  ])(
    'a long answer to a change with %s is repeated whole, although only a short one is stored',
    async (title, edit) => {
      const id = await aPost({ content: 'a'.repeat(30_000), status: 'draft' });
      const headers = { 'idempotency-key': `long edit with ${title}` };
      const once = await update(id, edit, headers);
      expect(once.body.postGroup.content).toHaveLength(30_000);
      expect(await update(id, edit, headers)).toMatchObject({ status: 200, body: once.body });
      const rows = await query('select length(answer::text) as length from idempotency_keys where key = $1', [
        headers['idempotency-key'],
      ]);
      expect(rows[0].length).toBeLessThan(1_000);
    },
  );

  test('a long answer about a post that was deleted since is repeated without its text', async () => {
    const id = await aPost({ content: 'a'.repeat(30_000), status: 'draft' });
    const headers = { 'idempotency-key': 'long edit of a deleted post' };
    await update(id, { labels: ['spring'] }, headers);
    await ada().call('DELETE', `/delete-post/${id}`);
    const { status, body } = await update(id, { labels: ['spring'] }, headers);
    expect([status, body.postGroup]).toEqual([200, { _id: id, status: 'draft', content: '', platforms: [] }]);
  });

  test.each([
    ['with another body', async (id: string) => [id, { content: 'Second' }] as const],
    ['for another post', async () => [await aPost(), { content: 'First' }] as const],
  ])('the same key %s is a conflict', async (title, next) => {
    const headers = { 'idempotency-key': `edit ${title}` };
    const id = await aPost();
    await update(id, { content: 'First' }, headers);
    const [other, edit] = await next(id);
    const before = await stored(other);
    expect(await update(other, edit, headers)).toMatchObject({
      status: 422,
      body: {
        error: 'Idempotency key was already used with a different request body',
        code: 'IDEMPOTENCY_KEY_CONFLICT',
      },
    });
    expect(await stored(other)).toEqual(before);
  });

  test('the same key while the first request runs is a conflict, for three minutes', async () => {
    const id = await aPost();
    const headers = { 'idempotency-key': 'edit-3' };
    await update(id, { content: 'Slow' }, headers);
    await query(`update idempotency_keys set answer = null where key = 'edit-3'`);
    const before = await stored(id);
    expect(await update(id, { content: 'Slow' }, headers)).toMatchObject({
      status: 409,
      body: { error: 'A request with this idempotency key is still in flight', code: 'IDEMPOTENCY_IN_FLIGHT' },
    });
    expect(await stored(id)).toEqual(before);
    clock.advance({ seconds: 180 });
    expect((await update(id, { content: 'Slow' }, headers)).status).toBe(200);
  });

  test('a request whose key was taken over by another changes nothing', async () => {
    const id = await aScheduledPost();
    const group = (await findEditable(service().app.db, ada().id, id))!;
    const who = await whoIs(service().app.db, ada().id);
    const edit = await resolveUpdate(service().app, who, group, { content: 'Slow', publishNow: false });
    const before = await stored(id);
    const lost = storeUpdate(service().app, service().app.db, {
      group,
      edit,
      reservation: null,
      fetched: null,
      claimedKey: { userId: ada().id, key: 'edit-3', token: 'of another request' },
    });
    await expect(lost).rejects.toMatchObject({ body: { code: 'IDEMPOTENCY_IN_FLIGHT' } });
    expect(await stored(id)).toEqual(before);
  });

  test('the key of a refused request can be used again', async () => {
    const id = await aScheduledPost();
    const headers = { 'idempotency-key': 'edit-4' };
    expect((await update(id, { content: '' }, headers)).status).toBe(400);
    expect((await update(id, { content: 'Better' }, headers)).status).toBe(200);
  });

  test('50 concurrent requests with one key have one effect and one answer', async () => {
    const id = await aPost();
    const headers = { 'idempotency-key': 'edit-5' };
    const { group } = await stored(id);
    const answers = await together(50, () => update(id, { content: 'Together' }, headers));
    expect((await stored(id)).group).toMatchObject({ version: group.version + 1, content: 'Together' });
    const refusals = answers.filter(({ status }) => status !== 200);
    expect(new Set(refusals.map(({ status, body }) => `${status} ${body.code}`)).size).toBeLessThanOrEqual(1);
    for (const { body } of refusals) expect(body.code).toBe('IDEMPOTENCY_IN_FLIGHT');
  });

  test.each([201, 300, 100_000])('a body nested over 200 levels deep is refused: %i', async (levels) => {
    const body = `{"content":"x","extra":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(await update(await aPost(), body, { 'idempotency-key': 'edit-6' })).toMatchObject({
      status: 400,
      body: { error: 'Idempotency-Key request body is too deeply nested', code: 'IDEMPOTENCY_BODY_TOO_COMPLEX' },
    });
  });
});

describe('[update-post.conflict] concurrent requests', () => {
  const conflict = {
    error: 'Post group state changed concurrently; please retry.',
    code: 'POST_GROUP_VERSION_CONFLICT',
  };

  test('of 50 updates based on one version exactly one is stored', async () => {
    const id = await aScheduledPost();
    const who = await whoIs(service().app.db, ada().id);
    for (let round = 0; round < 5; round += 1) {
      const group = (await findEditable(service().app.db, ada().id, id))!;
      const outcomes = await together(50, async (index) => {
        const platforms = index % 2 ? [first(), second()] : [second()];
        const input = { content: `Round ${round}, edit ${index}`, platforms, publishNow: false };
        const edit = await resolveUpdate(service().app, who, group, input);
        return storeUpdate(service().app, service().app.db, {
          group,
          edit,
          reservation: null,
          fetched: null,
          claimedKey: null,
        }).catch((error: unknown) => error);
      });
      const [winner, ...others] = outcomes.filter((outcome) => !(outcome instanceof Error));
      expect(others).toEqual([]);
      const problems = outcomes.filter((outcome) => outcome instanceof Problem);
      expect(problems.map(({ body }) => body)).toEqual(Array(49).fill(conflict));
      const after = await stored(id);
      const { content, platforms } = (winner as { postGroup: { content: string; platforms: string[] } }).postGroup;
      expect(after.group).toMatchObject({ version: group.version + 1, content, target_count: platforms.length });
      expect(after.targets.map((target: { content: string }) => target.content)).toEqual(platforms.map(() => content));
    }
  });

  test('any update based on an older version is refused', async () => {
    const id = await aPost();
    const old = (await findEditable(service().app.db, ada().id, id))!;
    await update(id, { content: 'Newer' });
    const before = await stored(id);
    const change = {
      id,
      userId: ada().id,
      version: old.version,
      content: 'Older',
      status: 'draft' as const,
      scheduledAt: null,
      publishNow: false,
      settings: {},
      firstComments: [],
      mediaIds: [],
      labels: [],
      platforms: [],
      targetCount: 1,
      now: clock.now(),
    };
    expect(await changeGroup(service().app.db, change)).toBe(false);
    expect(await changeGroup(service().app.db, { ...change, version: old.version + 2 })).toBe(false);
    expect(await changeGroup(service().app.db, { ...change, version: old.version + 1, userId: 'f'.repeat(24) })).toBe(
      false,
    );
    expect(await stored(id)).toEqual(before);
  });

  test('50 concurrent requests: each is stored or asked to retry, and the last one stored wins', async () => {
    const id = await aScheduledPost();
    const { group } = await stored(id);
    const answers = await together(50, (index) => update(id, { content: `Edit ${index}` }));
    const winners = answers.filter(({ status }) => status === 200);
    const losers = answers.filter(({ status }) => status !== 200);
    expect(winners.length).toBeGreaterThan(0);
    expect(losers.map(({ status, body }) => [status, body])).toEqual(losers.map(() => [409, conflict]));
    const after = await stored(id);
    expect(after.group.version).toBe(group.version + winners.length);
    expect(winners.map(({ body }) => body.postGroup.content)).toContain(after.group.content);
    expect(after.targets).toMatchObject([{ content: after.group.content }]);
  });

  test('updates of different posts to the same accounts do not deadlock', async () => {
    const [one, two] = [
      await aScheduledPost({ platforms: [first()] }),
      await aScheduledPost({ platforms: [second()] }),
    ];
    for (let round = 0; round < 20; round += 1) {
      const grown = await Promise.all([
        update(one, { platforms: [first(), second()] }),
        update(two, { platforms: [second(), first()] }),
        aScheduledPost({ platforms: [second(), first()] }).then((id) => ada().call('DELETE', `/delete-post/${id}`)),
      ]);
      expect(grown.map(({ status }) => status)).toEqual([200, 200, 200]);
      await Promise.all([update(one, { platforms: [first()] }), update(two, { platforms: [second()] })]);
    }
  });

  test('a post that is deleted during an update stays deleted', async () => {
    const id = await aPost();
    const who = await whoIs(service().app.db, ada().id);
    const group = (await findEditable(service().app.db, ada().id, id))!;
    const edit = await resolveUpdate(service().app, who, group, { content: 'Gone', publishNow: false });
    await ada().call('DELETE', `/delete-post/${id}`);
    const late = storeUpdate(service().app, service().app.db, {
      group,
      edit,
      reservation: null,
      fetched: null,
      claimedKey: null,
    });
    await expect(late).rejects.toMatchObject({ status: 404, body: { error: 'Post group not found' } });
    expect(await query('select 1 from platform_posts where post_group_id = $1', [id])).toEqual([]);
  });

  test('an update that was read before the post was dispatched is refused afterwards', async () => {
    const id = await aPost({ publishNow: true });
    const who = await whoIs(service().app.db, ada().id);
    const group = (await findEditable(service().app.db, ada().id, id))!;
    const edit = await resolveUpdate(service().app, who, group, { content: 'Stale', publishNow: false });
    await dispatch(service().app);
    const before = await stored(id);
    const late = storeUpdate(service().app, service().app.db, {
      group,
      edit,
      reservation: null,
      fetched: null,
      claimedKey: null,
    });
    await expect(late).rejects.toMatchObject({ status: 409, body: { code: 'POST_PUBLISH_IN_PROGRESS' } });
    expect(await stored(id)).toEqual(before);
    await publishDue(service().app);
    expect(await read(id)).toMatchObject({ status: 'published', posts: [{ content: group.content }] });
  });

  test('updates that race the dispatcher are published completely or refused', async () => {
    const platforms = [first(), second()];
    const others = [await ada().aConnection(), await ada().aConnection()];
    const posts = await together(20, (index) =>
      aPost({ content: `Before ${index} of race`, platforms, publishNow: true }),
    );
    const who = await whoIs(service().app.db, ada().id);
    const edits = together(posts.length, async (index) => {
      const input = { content: `After ${index} of race`, platforms: others, publishNow: false };
      const outcome = await updatePostGroup(service().app, who, posts[index]!, input).catch((error: Problem) => error);
      if (outcome instanceof Error) expect(outcome.body.code).toBe('POST_PUBLISH_IN_PROGRESS');
      return !(outcome instanceof Error);
    });
    await oneByOne(posts.length / 2, () => dispatchDue(service().app.db, clock.now(), 2, new Date(0)));
    const edited = await edits;
    await publishDue(service().app);
    const texts = (await service().sandbox.posts()).map(({ text }) => text);
    for (const [index, id] of posts.entries()) {
      const count = (word: string) => texts.filter((text) => text === `${word} ${index} of race`).length;
      expect([count('Before'), count('After')]).toEqual(edited[index] ? [0, 2] : [2, 0]);
      expect((await read(id)).status).toBe('published');
    }
  });
});

const together = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

async function oneByOne(count: number, run: () => Promise<unknown>) {
  for (let index = 0; index < count; index += 1) await run();
}
