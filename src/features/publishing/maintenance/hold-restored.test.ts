import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { type TestClock, testClock } from '../../../../test/support/service/app.ts';
import { type TestService, type TestUser, testService } from '../../../../test/support/service/service.ts';
import { dispatch } from '../lanes/dispatcher.ts';
import { type HoldScope, holdRestoredPosts } from './hold-restored.ts';

let clock: TestClock;
let service: TestService;
let ada: TestUser;
beforeAll(async () => {
  clock = testClock();
  service = await testService({ clock });
  ada = await service.aUser();
});
afterEach(() => service.database.pool.query('delete from post_groups'));
afterAll(() => service.close());

async function aPost(more: object) {
  const input = { content: `Post ${process.hrtime.bigint()}`, platforms: [await ada.aConnection()], ...more };
  const { body } = await ada.call('POST', '/create-post', input);
  return async () => (await ada.call('GET', `/get-post/${body.postGroupId}`)).body;
}
const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();

/** Simulates a restore from a backup that was taken an hour ago. */
function hold(scope: HoldScope) {
  const takenAt = new Date(clock.now().getTime() - 3_600_000);
  return service.app.db.transaction().execute((tx) => holdRestoredPosts(service.app, tx, takenAt, scope));
}

describe('of scheduled posts, a restore', () => {
  test.each<[string, HoldScope, string[]]>([
    ['returns those to draft that became due since the backup', 'overdue', ['draft', 'scheduled']],
    ['returns all to draft if asked to', 'all', ['draft', 'draft']],
    ['holds none if no Crier has run since', 'none', ['scheduled', 'scheduled']],
  ])('%s', async (_, scope, expected) => {
    const due = await aPost({ scheduledTime: inSeconds(120) });
    const future = await aPost({ scheduledTime: inSeconds(7_200) });
    clock.advance({ seconds: 300 });
    const held = await hold(scope);
    expect([(await due()).status, (await future()).status]).toEqual(expected);
    expect(held).toEqual({ drafts: expected.filter((status) => status === 'draft').length, targets: 0, comments: 0 });
  });
});

describe('a post that was being published at the time of the backup', () => {
  test('ends with an unknown outcome, and is not sent', async () => {
    const post = await aPost({ publishNow: true });
    await dispatch(service.app);
    expect(await hold('overdue')).toEqual({ drafts: 0, targets: 1, comments: 0 });
    const { posts } = await post();
    expect(posts).toMatchObject([{ status: 'failed', error: { code: 'PUBLISH_OUTCOME_UNKNOWN', retryable: false } }]);
    await publishDue(service.app);
    expect((await post()).posts[0].status).toBe('failed');
  });

  test('is published if the backup has the id that the network gave it', async () => {
    const post = await aPost({ publishNow: true });
    const { pool } = service.database;
    await pool.query(`create function fail_emitting() returns trigger language plpgsql as $$
      begin raise exception 'The event cannot be stored.'; end $$`);
    await pool.query(
      'create trigger fail_emitting before insert on events for each row execute function fail_emitting()',
    );
    await expect(publishDue(service.app)).rejects.toThrow('The event cannot be stored.');
    await pool.query('drop function fail_emitting cascade');
    expect(await hold('overdue')).toEqual({ drafts: 0, targets: 0, comments: 0 });
    const { id } = (await service.sandbox.posts()).at(-1)!;
    expect((await post()).posts).toMatchObject([
      { status: 'published', postedId: id, permalink: expect.stringMatching(/^http/) },
    ]);
  });

  test('goes on if no Crier has run since', async () => {
    const post = await aPost({ publishNow: true });
    await dispatch(service.app);
    expect(await hold('none')).toEqual({ drafts: 0, targets: 0, comments: 0 });
    await publishDue(service.app);
    expect((await post()).posts[0].status).toBe('published');
  });
});

test('first comments that were waiting end with an unknown outcome, and those after them are not attempted', async () => {
  const firstComments = [{ text: 'First' }, { text: 'Second', delaySeconds: 600 }, { text: 'Third' }];
  const post = await aPost({ publishNow: true, firstComments });
  await publishDue(service.app);
  expect(await hold('overdue')).toEqual({ drafts: 0, targets: 0, comments: 1 });
  expect((await post()).posts[0].firstCommentResults).toMatchObject([
    { status: 'posted' },
    { status: 'failed', error: { code: 'PUBLISH_OUTCOME_UNKNOWN', outcomeUnknown: true } },
    { status: 'failed', error: { code: 'FIRST_COMMENT_NOT_ATTEMPTED', outcomeUnknown: false } },
  ]);
});
