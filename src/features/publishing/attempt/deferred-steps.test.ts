import { expect, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { claimedRun, everyPlace } from '../../../../test/support/publishing/publish-due.ts';
import { publishVideo } from '../../../../test/support/publishing/video-post.ts';
import { publishingStage } from '../../../../test/support/stages/publishing.ts';
import { whoIs } from '../../auth/access/api-key.ts';
import { connectSandboxAccount } from '../../connections/connect/sandbox.ts';
import { dispatch } from '../lanes/dispatcher.ts';
import { claimLanes } from '../lanes/lane-queries.ts';
import { publishNext } from './attempt.ts';
import { withBatchedWrites } from './batched-writes.ts';
import { outcomes } from './metrics.ts';
import { recordPublished } from './post-queries.ts';
import { ClaimLostError } from './step-store.ts';

const { clock, service, ada, query, run } = publishingStage();

const stepsOf = async (id: string) =>
  (await query('select name, result, ended_at from publish_steps where platform_post_id = $1 order by ended_at', [id]))
    .rows;

const outcomesOf = async (outcome: string) =>
  (await outcomes.get()).values.reduce((sum, { labels, value }) => sum + (labels.outcome === outcome ? value : 0), 0);

async function aDuePost() {
  const platforms = [await ada().aConnection()];
  const { body } = await ada().call('POST', '/create-post', { content: 'Fresh bread', platforms, publishNow: true });
  const { rows } = await query('select id from platform_posts where post_group_id = $1', [body.postGroupId]);
  return { id: rows[0].id as string };
}

test('the last step of a post and its outcome are stored in one transaction', async () => {
  const { id } = await aDuePost();
  await run();
  const { rows } = await query(
    `select post.status, post.xmin = step.xmin as together from platform_posts post
    join publish_steps step on platform_post_id = post.id where post.id = $1`,
    [id],
  );
  expect(rows).toEqual([{ status: 'published', together: true }]);
});

test('a finished step is stored by the end of the turn, even if the run never ends', async () => {
  const { id, steps } = await claimedRun(service().app, ada());
  await steps.begin('send', true);
  await steps.finish('send', { id: '1' }, false);
  await eventually(async () =>
    expect(await stepsOf(id)).toMatchObject([{ result: { id: '1' }, ended_at: expect.any(Date) }]),
  );
});

test('a finished step is stored before the next one begins', async () => {
  const { id, steps } = await claimedRun(service().app, ada());
  await steps.begin('upload', false);
  await steps.finish('upload', { id: '1' }, false);
  await steps.begin('send', true);
  expect(await stepsOf(id)).toMatchObject([
    { name: 'upload', result: { id: '1' } },
    { name: 'send', ended_at: null },
  ]);
});

test('steps that end together are all stored', async () => {
  const { id, steps } = await claimedRun(service().app, ada());
  await steps.begin('one', false);
  await steps.begin('other', false);
  await Promise.all([steps.finish('one', 1, false), steps.finish('other', 2, false)]);
  await steps.settle();
  expect(await stepsOf(id)).toMatchObject([{ ended_at: expect.any(Date) }, { ended_at: expect.any(Date) }]);
});

test('nothing is sent to an upload session that could not be stored', async () => {
  const { app, sandbox } = service();
  const account = { platform: 'youtube', handle: 'sessions' } as const;
  const { platformId } = await connectSandboxAccount(app, sandbox.url, ada().id, account);
  await publishVideo(app, await whoIs(app.db, ada().id), platformId, 'Fresh bread');
  await query(`
    create function refuse_session() returns trigger language plpgsql as $$ begin raise exception 'not stored'; end $$;
    create trigger refuse_session before update on publish_steps
      for each row when (new.name = 'session 1') execute function refuse_session()`);
  await expect(run()).rejects.toThrow('not stored');
  expect(await sandbox.control('GET', '/posts?network=youtube')).toEqual([]);
  await query('drop trigger refuse_session on publish_steps');
  await run();
  expect(await sandbox.control('GET', '/posts?network=youtube')).toHaveLength(1);
});

test('a post is reported as published if the answer to its transaction is lost', async () => {
  const app = withBatchedWrites(service().app);
  const { published } = app.writes;
  let lost = 0;
  const writes = {
    ...app.writes,
    async published(outcome: Parameters<typeof published>[0]): Promise<boolean> {
      await published(outcome);
      lost += 1;
      throw new Error('The connection was lost.');
    },
  };
  await aDuePost();
  await dispatch(app);
  const [lane] = await claimLanes(app.db, 'worker', clock.now(), everyPlace);
  const before = await outcomesOf('published');
  await publishNext({ ...app, writes }, 'worker', lane!.connectionId, new AbortController().signal);
  expect([lost, (await outcomesOf('published')) - before]).toEqual([1, 1]);
});

test('what a platform answered is stored although another worker has taken over the post', async () => {
  const { id, steps } = await claimedRun(service().app, ada());
  await steps.begin('send', true);
  await steps.finish('send', { id: '1' }, false);
  const lastStep = await steps.takeUnsaved();
  await query(`update platform_posts set claim_token = 'another' where id = $1`, [id]);
  const outcome = {
    ...{ id, token: 'lost', now: clock.now(), logId: 'log', eventId: 'event', groupId: 'group' },
    ...{ platform: 'mastodon', accountId: 'account', remote: { id: '1', url: null }, threadParts: [] },
    ...{ comments: { results: [], runAt: null }, lastStep },
  };
  expect(await recordPublished(service().app.db, [outcome])).toEqual([false]);
  expect(await stepsOf(id)).toMatchObject([{ result: { id: '1' }, ended_at: expect.any(Date) }]);
});

test('a step that another run may have repeated is not stored without the claim', async () => {
  const { id, steps } = await claimedRun(service().app, ada());
  await steps.begin('send', true);
  await query(`update platform_posts set claim_token = 'another' where id = $1`, [id]);
  await steps.finish('send', { id: '1' }, true);
  await expect(steps.settle()).rejects.toThrow(ClaimLostError);
  expect(await stepsOf(id)).toMatchObject([{ ended_at: null }]);
});

test('a run whose outcome gets no response ends quietly if another worker has taken over', async () => {
  const { id } = await aDuePost();
  const app = withBatchedWrites(service().app);
  const published = async () => {
    await query(`update platform_posts set claim_token = 'another' where id = $1`, [id]);
    throw new Error('Connection terminated');
  };
  await dispatch(app);
  const [lane] = await claimLanes(app.db, 'worker', clock.now(), everyPlace);
  const broken = { ...app, writes: { ...app.writes, published } };
  expect(await publishNext(broken, 'worker', lane!.connectionId, new AbortController().signal)).toBe(true);
  expect(await stepsOf(id)).toMatchObject([{ ended_at: expect.any(Date) }]);
});

test('if the outcome cannot be stored, the last step is stored nevertheless', async () => {
  const { id } = await aDuePost();
  await query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before insert on events for each row when (new.type = 'post.published') execute function refuse()`);
  await expect(run()).rejects.toThrow('refused');
  expect(await stepsOf(id)).toMatchObject([{ ended_at: expect.any(Date) }]);
  await query('drop trigger refuse on events');
});
