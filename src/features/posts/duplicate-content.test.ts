import { beforeAll, describe, expect, test } from 'vitest';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { testClock } from '../../../test/support/service/app.ts';
import { createPostStage } from '../../../test/support/stages/create-post.ts';
import { maxCompared } from './create/duplicate-queries.ts';

const clock = testClock('2027-03-04T05:06:07.000Z');
const stage = createPostStage(clock);
const { create, created, read, count, fromNow } = stage;
let mastodon: string;
let linkedin: string;
beforeAll(async () => {
  mastodon = await stage.ada().aConnection();
  linkedin = await stage.ada().aConnection('linkedin');
});

describe('[create-post.duplicate-content] DUPLICATE_CONTENT', () => {
  let text: string;
  const unique = () => {
    text = `The same text ${process.hrtime.bigint()}`;
    return text;
  };
  const warningsOf = async (body: object) =>
    (await created({ content: text, platforms: [mastodon], ...body })).answer.warnings;
  const day = 86_400;

  test('the same text on the same connection within 24 hours names the earlier post', async () => {
    const { id } = await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(2 * day) });
    const warnings = await warningsOf({ scheduledTime: fromNow(2 * day + 3600) });
    expect(warnings).toEqual([
      {
        code: 'DUPLICATE_CONTENT',
        message: expect.stringContaining(id),
        postGroupId: id,
        platformId: mastodon,
      },
    ]);
  });

  test.for<[hours: number, seconds: number, warned: boolean]>([
    [24, 0, true],
    [24, 1, false],
    [-24, 0, true],
    [-24, -1, false],
    [0, 0, true],
  ])('%i h and %i s from the time of the earlier post: warning %s', async ([hours, seconds, warned]) => {
    await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(3 * day) });
    const warnings = await warningsOf({ scheduledTime: fromNow(3 * day + hours * 3600 + seconds) });
    expect(warnings?.length ?? 0).toBe(warned ? 1 : 0);
  });

  test('a published post counts, by the time of its publication', async () => {
    const { id } = await created({ content: unique(), platforms: [mastodon], publishNow: true });
    await publishDue(stage.service().app);
    expect((await read(id)).status).toBe('published');
    expect(await warningsOf({ publishNow: true })).toMatchObject([{ code: 'DUPLICATE_CONTENT', postGroupId: id }]);
    await publishDue(stage.service().app);
    clock.advance({ seconds: day + 1 });
    expect(await warningsOf({ publishNow: true })).toBeUndefined();
  });

  test('a failed post does not count', async () => {
    const bluesky = await stage.ada().aConnection('bluesky');
    const { id } = await created({ content: unique(), platforms: [bluesky], publishNow: true });
    await publishDue(stage.service().app);
    expect((await read(id)).status).toBe('failed');
    expect(await warningsOf({ platforms: [bluesky], publishNow: true })).toBeUndefined();
  });

  test('drafts neither count nor get the warning', async () => {
    await created({ content: unique(), platforms: [mastodon] });
    expect(await warningsOf({ scheduledTime: fromNow(day) })).toBeUndefined();
    expect(await warningsOf({})).toBeUndefined();
  });

  test('another connection, another text or another user is no duplicate', async () => {
    await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(day) });
    expect(
      await warningsOf({ platforms: [await stage.ada().aConnection()], scheduledTime: fromNow(day) }),
    ).toBeUndefined();
    expect(await warningsOf({ content: `${text}!`, scheduledTime: fromNow(day) })).toBeUndefined();
    expect(await warningsOf({ content: text.toUpperCase(), scheduledTime: fromNow(day) })).toBeUndefined();
    const ben = await stage.service().aUser();
    const { body } = await ben.call('POST', '/create-post', {
      content: text,
      platforms: [await ben.aConnection()],
      scheduledTime: fromNow(day),
    });
    expect(body).not.toHaveProperty('warnings');
  });

  test('only the newest 50 posts with the text are compared', async () => {
    await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(day) });
    const posts = Array.from({ length: maxCompared }, (_, number) => ({
      content: text,
      platforms: [mastodon],
      scheduledTime: fromNow((number + 10) * day),
      idempotencyKey: `${text} ${number}`,
    }));
    const validated = { content: text, platforms: [mastodon], scheduledTime: fromNow(day) };
    const warnings = async () => (await stage.ada().call('POST', '/validate-post', validated)).body.warnings;
    clock.advance({ seconds: 1 });
    await stage.ada().call('POST', '/import', { posts: posts.slice(1) });
    expect(await warnings()).toHaveLength(1);
    await stage.ada().call('POST', '/import', { posts: posts.slice(0, 1) });
    expect(await warnings()).toBeUndefined();
  });

  test('a deleted post does not count', async () => {
    const { id } = await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(day) });
    await stage.ada().call('DELETE', `/delete-post/${id}`);
    expect(await warningsOf({ scheduledTime: fromNow(day) })).toBeUndefined();
  });

  test('each earlier post is named once, after other warnings, the oldest first', async () => {
    const another = await stage.ada().aConnection();
    const platforms = [mastodon, another];
    const { id: first } = await created({ content: unique(), platforms, scheduledTime: fromNow(60) });
    const { id: second } = await created({ content: text, platforms: [another], scheduledTime: fromNow(60) });
    expect(await warningsOf({ platforms, scheduledTime: fromNow(-1) })).toMatchObject([
      { code: 'SCHEDULED_TIME_COERCED' },
      { code: 'DUPLICATE_CONTENT', postGroupId: first, platformId: mastodon },
      { code: 'DUPLICATE_CONTENT', postGroupId: second, platformId: another },
    ]);
  });

  test('reposts without text are no duplicates of each other', async () => {
    const repost = (id: number) => ({
      content: '',
      platforms: [linkedin],
      scheduledTime: fromNow(day),
      platformSettings: { linkedin: { repostEnabled: true, repostParentUrn: `urn:li:share:${id}` } },
    });
    await created(repost(1));
    expect(await warningsOf(repost(2))).toBeUndefined();
  });

  test('a retry gets the same warning', async () => {
    await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(day) });
    const body = { content: text, platforms: [mastodon], scheduledTime: fromNow(day) };
    const headers = { 'idempotency-key': 'duplicate-1' };
    const first = await create(body, headers);
    expect(first.body.warnings).toHaveLength(1);
    const before = await count('post_groups');
    expect((await create(body, headers)).body).toEqual(first.body);
    expect(await count('post_groups')).toBe(before);
  });

  test('the post is stored in spite of the warning', async () => {
    await created({ content: unique(), platforms: [mastodon], scheduledTime: fromNow(day) });
    const { group } = await created({ content: text, platforms: [mastodon], scheduledTime: fromNow(day) });
    expect(group.status).toBe('scheduled');
  });
});

describe('validate-post: DUPLICATE_CONTENT', () => {
  const checked = async (body: object, query = '') =>
    (await stage.ada().call('POST', `/validate-post${query}`, body)).body.warnings;

  test('each channel that gets the same text is named, with the post that has it', async () => {
    const content = 'It is out already';
    const another = await stage.ada().aConnection();
    const third = await stage.ada().aConnection();
    const { id } = await created({ content, platforms: [mastodon, another], publishNow: true });
    await publishDue(stage.service().app);
    const platforms = [third, another, mastodon];
    expect(await checked({ content, platforms })).toMatchObject([
      { code: 'DUPLICATE_CONTENT', postGroupId: id, platformId: another },
      { code: 'DUPLICATE_CONTENT', postGroupId: id, platformId: mastodon },
    ]);
    expect(await checked({ content: `${content}!`, platforms })).toBeUndefined();
    expect(await checked({ content, platforms: [third] })).toBeUndefined();
  });

  test('a post is no duplicate of itself', async () => {
    const body = { content: 'Only once', platforms: [mastodon] };
    const { id } = await created({ ...body, scheduledTime: fromNow(3600) });
    expect(await checked(body, `?postGroupId=${id}`)).toBeUndefined();
    expect(await checked(body)).toMatchObject([{ postGroupId: id }]);
  });

  test('the time of the post counts, and without one the present', async () => {
    const body = { content: 'Next month again', platforms: [mastodon] };
    await created({ ...body, scheduledTime: fromNow(30 * 86_400) });
    expect(await checked(body)).toBeUndefined();
    expect(await checked({ ...body, scheduledTime: fromNow(30 * 86_400 + 60) })).toHaveLength(1);
  });
});
