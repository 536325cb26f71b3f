import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { publishDue } from '../../../../test/support/publishing/publish-due.ts';
import { type TestClock, testClock } from '../../../../test/support/service/app.ts';
import { type TestUser, testService } from '../../../../test/support/service/service.ts';
import { startPublishing } from '../tasks.ts';

const day = 86_400;

/** A user of a service, with shortcuts for this file. */
async function aStage(clock?: TestClock) {
  const service = await testService(clock && { clock });
  const ada = await service.aUser();
  const now = () => service.app.clock.now().getTime();
  return {
    service,
    ada,
    inSeconds: (seconds: number) => new Date(now() + seconds * 1000).toISOString(),
    schedule: async (content: string, scheduledTime: string, platforms: string[]) => {
      const { body } = await ada.call('POST', '/create-post', { content, platforms, scheduledTime });
      return body.postGroupId as string;
    },
    update: async (id: string, edit: object) =>
      expect(await ada.call('PUT', `/update-post/${id}`, edit)).toMatchObject({ status: 200 }),
    remove: async (id: string) => expect(await ada.call('DELETE', `/delete-post/${id}`)).toMatchObject({ status: 200 }),
    statusOf: async (id: string) => (await ada.call('GET', `/get-post/${id}`)).body.status,
    /** The posts of an account, oldest first. */
    textsOf: async (platformId: string) => {
      const [id] = platformId.slice('mastodon-'.length).split('@');
      return (await service.sandbox.posts(id)).map(({ text }) => text);
    },
  };
}

describe('by the clock', () => {
  const clock = testClock();
  let stage: Awaited<ReturnType<typeof aStage>>;
  let ada: TestUser;
  const run = () => publishDue(stage.service.app);
  beforeAll(async () => {
    stage = await aStage(clock);
    ada = stage.ada;
  });
  afterAll(() => stage.service.close());

  describe('after a time without a running worker', () => {
    test.for([1, 3, 400])('of %i days every post is published, on each account the oldest first', async (days) => {
      const accounts = [await ada.aConnection(), await ada.aConnection()];
      for (const minutes of [30, 10, 50, 20, 40]) {
        for (const account of accounts) {
          await stage.schedule(`${days} days, minute ${minutes}`, stage.inSeconds(minutes * 60), [account]);
        }
      }
      clock.advance({ seconds: days * day });
      await run();
      for (const account of accounts) {
        expect(await stage.textsOf(account)).toEqual(
          [10, 20, 30, 40, 50].map((minutes) => `${days} days, minute ${minutes}`),
        );
      }
    });
  });

  describe('just before its time', () => {
    /** A post that is almost due. */
    async function aDuePost(content: string) {
      const account = await ada.aConnection();
      const id = await stage.schedule(content, stage.inSeconds(60), [account]);
      clock.advance({ seconds: 59.999 });
      await run();
      return { id, texts: () => stage.textsOf(account) };
    }
    const later = async (seconds: number) => {
      clock.advance({ seconds });
      await run();
    };

    test('a post can be deleted and is not published', async () => {
      const { id, texts } = await aDuePost('deleted');
      await stage.remove(id);
      await later(day);
      expect(await texts()).toEqual([]);
    });

    test('a post can be postponed and is published at its new time, not before', async () => {
      const { id, texts } = await aDuePost('put off');
      await stage.update(id, { scheduledTime: stage.inSeconds(3600) });
      await later(3599.999);
      expect([await texts(), await stage.statusOf(id)]).toEqual([[], 'scheduled']);
      await later(0.001);
      expect([await texts(), await stage.statusOf(id)]).toEqual([['put off'], 'published']);
      await later(day);
      expect(await texts()).toHaveLength(1);
    });

    test('a post can be paused and waits until it is scheduled again', async () => {
      const { id, texts } = await aDuePost('paused');
      await stage.update(id, { status: 'draft' });
      await later(day);
      expect([await texts(), await stage.statusOf(id)]).toEqual([[], 'draft']);
      await stage.update(id, { status: 'scheduled', scheduledTime: stage.inSeconds(1) });
      await later(1);
      expect(await texts()).toEqual(['paused']);
    });

    test('a post can be edited and is published with the edit', async () => {
      const { id, texts } = await aDuePost('first words');
      await stage.update(id, { content: 'last words' });
      await later(1);
      expect(await texts()).toEqual(['last words']);
    });
  });

  test('a post that is moved forward is published at its new time, and not again at the old one', async () => {
    const account = await ada.aConnection();
    const id = await stage.schedule('brought forward', stage.inSeconds(day), [account]);
    await stage.update(id, { scheduledTime: stage.inSeconds(5) });
    clock.advance({ seconds: 5 });
    await run();
    expect(await stage.textsOf(account)).toEqual(['brought forward']);
    clock.advance({ seconds: day });
    await run();
    expect(await stage.textsOf(account)).toEqual(['brought forward']);
  });

  test('many posts with the same due time on one account are published in the order of their creation', async () => {
    const account = await ada.aConnection();
    const at = stage.inSeconds(60);
    const contents = Array.from({ length: 60 }, (_, index) => `At once, number ${index}`);
    for (const content of contents) await stage.schedule(content, at, [account]);
    clock.advance({ seconds: 60 });
    await run();
    expect(await stage.textsOf(account)).toEqual(contents);
  });
});

describe('a running worker', () => {
  let stage: Awaited<ReturnType<typeof aStage>>;
  let ada: TestUser;
  beforeAll(async () => {
    stage = await aStage();
    ada = stage.ada;
  });
  afterAll(() => stage.service.close());

  async function aWorker() {
    const worker = await startPublishing(stage.service.app);
    onTestFinished(() => worker.stop(5_000));
  }
  const published = (id: string) =>
    eventually(async () => expect(await stage.statusOf(id)).toBe('published'), { interval: 50 });
  const query = (text: string, values: unknown[] = []) => stage.service.database.pool.query(text, values);

  test('follows posts that are moved and deleted while it waits for them', async () => {
    await aWorker();
    const account = await ada.aConnection();
    const soon = stage.inSeconds(1.5);
    const [deleted, putOff, broughtForward, last] = [
      await stage.schedule('deleted', soon, [account]),
      await stage.schedule('put off', soon, [account]),
      await stage.schedule('brought forward', stage.inSeconds(3600), [account]),
      await stage.schedule('as planned', soon, [account]),
    ];
    await stage.remove(deleted);
    const newTime = stage.inSeconds(2.5);
    await stage.update(putOff, { scheduledTime: newTime });
    await stage.update(broughtForward, { scheduledTime: stage.inSeconds(0.5) });
    await Promise.all([putOff, broughtForward, last].map(published));
    expect(await stage.textsOf(account)).toEqual(['brought forward', 'as planned', 'put off']);
    const posts = await stage.service.sandbox.posts();
    const arrived = posts.find(({ text }) => text === 'put off')?.createdAt;
    expect(Date.parse(`${arrived}`)).toBeGreaterThanOrEqual(Date.parse(newTime));
  });

  test('publishes what is due after all its database connections were cut', async () => {
    await aWorker();
    const accounts = [await ada.aConnection()];
    const id = await stage.schedule('after the cut', stage.inSeconds(1), accounts);
    await query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await published(id);
  });

  test('frees a lane that it has claimed in a response that was lost', async () => {
    await aWorker();
    const accounts = [await ada.aConnection()];
    await published(await stage.schedule('before', stage.inSeconds(-1), accounts));
    await query('update publish_lanes set worker = (select id from workers)');
    await published(await stage.schedule('in an orphaned lane', stage.inSeconds(-1), accounts));
  });

  test('is not stopped by a post that it can neither publish nor return to draft', async () => {
    const [broken, whole] = [await ada.aConnection(), await ada.aConnection()];
    const id = await stage.schedule('broken', stage.inSeconds(-2), [broken]);
    await query('delete from connections where account_id = $1', [broken.slice('mastodon-'.length)]);
    await query(`create function refuse_log() returns trigger language plpgsql as $$
      begin raise exception 'This row cannot be written.'; end $$`);
    await query(`create trigger refuse_log before insert on post_logs
      for each row when (new.post_group_id = '${id}') execute function refuse_log()`);
    await aWorker();
    await published(await stage.schedule('whole', stage.inSeconds(-1), [whole]));
    expect(await stage.statusOf(id)).toBe('scheduled');
    await query('drop trigger refuse_log on post_logs');
    await eventually(async () => expect(await stage.statusOf(id)).toBe('draft'));
  });
});
