import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { publishVideo } from '../../../../test/support/publishing/video-post.ts';
import type { SandboxPost } from '../../../../test/support/servers/sandbox.ts';
import { publishingStage } from '../../../../test/support/stages/publishing.ts';
import { whoIs } from '../../auth/access/api-key.ts';
import { connectSandboxAccount } from '../../connections/connect/sandbox.ts';
import { disconnect } from '../../connections/disconnect.ts';
import { sendHeartbeat } from '../lanes/heartbeat-queries.ts';
import { endDisconnectedPosts } from './disconnected-posts.ts';

const { service, ada, run, query, control } = publishingStage();

type Vendor = 'mastodon' | 'twitter' | 'telegram' | 'youtube';
let posts = 0;

async function anAccount(vendor: Vendor) {
  posts += 1;
  const account = { platform: vendor, handle: `leaver${posts}` };
  return (await connectSandboxAccount(service().app, service().sandbox.url, ada().id, account)).platformId;
}

/** A due post, with what its user and its network show of it. */
async function aDuePost(vendor: Vendor = 'mastodon', more: object = {}) {
  const platformId = await anAccount(vendor);
  const content = `Goodbye ${posts}`;
  const post = { content, platforms: [platformId], publishNow: true, ...more };
  const { body } = await ada().call('POST', '/create-post', post);
  return shown(body.postGroupId, platformId, vendor);
}

async function aDueVideo(vendor: Vendor, content: string) {
  const platformId = await anAccount(vendor);
  const { app } = service();
  return shown(await publishVideo(app, await whoIs(app.db, ada().id), platformId, content), platformId, vendor);
}

const shown = (id: string, platformId: string, vendor: Vendor) => ({
  target: async () => (await ada().call('GET', `/get-post/${id}`)).body.posts[0],
  group: async () => (await ada().call('GET', `/get-post/${id}`)).body,
  disconnect: () => disconnect(service().app, { userId: ada().id }, platformId),
  atTheVendor: () => control<SandboxPost[]>('GET', `/posts?network=${vendor}&account=leaver${posts}`),
});

const end = () => endDisconnectedPosts(service().app);

const publishRequests = async () =>
  (await control<{ operation: string }[]>('GET', '/requests?network=mastodon')).filter(
    ({ operation }) => operation === 'publish',
  ).length;

/** Starts a worker, and returns once its network has the request and takes its time for the response. */
async function startPublishing(worker: string) {
  const before = await publishRequests();
  await control('POST', '/faults', { network: 'mastodon', operation: 'publish', kind: 'latency', latencyMs: 700 });
  const ended = run(worker);
  await eventually(async () => expect(await publishRequests()).toBe(before + 1), { interval: 10 });
  return { ended };
}

/** Other workers notice that this one has sent no heartbeat for too long. */
async function die(worker: string) {
  await query(`update workers set seen_at = now() - interval '1 hour' where id = $1`, [worker]);
  const judge = { id: 'judge', lanes: [], dispatchedAt: null };
  await sendHeartbeat(service().app.db, judge, 60);
  await sendHeartbeat(service().app.db, judge, 60);
}

/** Makes the writes of one table fail, as if the worker had died there. */
async function breakWrites(table: 'events' | 'publish_steps', name = '') {
  await query(`create or replace function break_writes() returns trigger language plpgsql as $$
    begin raise exception 'This cannot be stored.'; end $$`);
  const when = name === '' ? '' : `when (new.name = '${name}')`;
  await query(
    `create trigger break_writes before insert on ${table} for each row ${when} execute function break_writes()`,
  );
  const repair = () => query(`drop trigger if exists break_writes on ${table}`);
  onTestFinished(async () => void (await repair()));
  return repair;
}

describe('a post whose account is disconnected while the network has its request', () => {
  test('is published once the network has responded', async () => {
    const post = await aDuePost();
    const { ended } = await startPublishing('busy');
    await post.disconnect();
    await end();
    expect(await post.target()).toMatchObject({ status: 'processing' });
    await ended;
    await end();
    const [remote] = await post.atTheVendor();
    expect(await post.group()).toMatchObject({
      status: 'published',
      posts: [{ status: 'published', postedId: remote?.id, permalink: expect.stringMatching(/^http/) }],
    });
  });

  test('ends with an unknown outcome once its worker is dead', async () => {
    const post = await aDuePost();
    const { ended } = await startPublishing('dying');
    await post.disconnect();
    await die('dying');
    await end();
    expect(await post.target()).toMatchObject({ status: 'failed', error: { code: 'PUBLISH_OUTCOME_UNKNOWN' } });
    await ended;
  });

  test('ends with an unknown outcome although its worker is alive, if its request is hours old', async () => {
    const post = await aDuePost();
    const { ended } = await startPublishing('stuck');
    await post.disconnect();
    await query(`update publish_steps set last_sent_at = now() - interval '3 hours' where ended_at is null`);
    await end();
    expect(await post.target()).toMatchObject({ status: 'failed', error: { code: 'PUBLISH_OUTCOME_UNKNOWN' } });
    await ended;
  });
});

describe('a post whose account is disconnected after the network has accepted it', () => {
  test('is published with the id and the link from its step, and its first comments are skipped', async () => {
    const post = await aDuePost('mastodon', { firstComments: [{ text: 'First!' }] });
    const repair = await breakWrites('events');
    await expect(run()).rejects.toThrow('This cannot be stored.');
    await repair();
    await post.disconnect();
    await end();
    const [remote] = await post.atTheVendor();
    expect(await post.group()).toMatchObject({
      status: 'published',
      posts: [
        {
          status: 'published',
          postedId: remote?.id,
          permalink: expect.stringMatching(/^http/),
          firstCommentResults: [{ status: 'skipped', skipReason: 'connection_unavailable' }],
        },
      ],
    });
    const target = await post.target();
    expect((await fetch(target.permalink)).status).toBe(200);
    expect(target).not.toHaveProperty('error');
  });

  test('is published although another such post cannot be ended', async () => {
    const repair = await breakWrites('events');
    const stuck = await aDuePost();
    await expect(run()).rejects.toThrow('This cannot be stored.');
    const post = await aDuePost();
    await expect(run()).rejects.toThrow('This cannot be stored.');
    await repair();
    const { _id: id } = await stuck.target();
    // Longer than an entry of an index may be.
    const long = Array.from({ length: 3_000 }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)));
    await query(
      `update publish_steps set result = result || jsonb_build_object('id', $2::text) where platform_post_id = $1`,
      [id, long.join('')],
    );
    await stuck.disconnect();
    await post.disconnect();
    await end();
    expect(await stuck.target()).toMatchObject({ status: 'processing' });
    expect(await post.target()).toMatchObject({ status: 'published' });
    await query(`update publish_steps set result = result || '{"id": "1"}' where platform_post_id = $1`, [id]);
    await end();
    expect(await stuck.target()).toMatchObject({ status: 'published' });
  });

  test('is published with all parts of its thread', async () => {
    const post = await aDuePost('twitter', { content: 'One\n---\nTwo' });
    const repair = await breakWrites('events');
    await expect(run()).rejects.toThrow('This cannot be stored.');
    await repair();
    await post.disconnect();
    await end();
    const ids = (await post.atTheVendor()).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(await post.target()).toMatchObject({ status: 'published', postedId: ids[0] });
  });

  test('fails with the parts that are there if some of its thread is missing', async () => {
    const post = await aDuePost('twitter', { content: 'One\n---\nTwo' });
    const repair = await breakWrites('publish_steps', 'part 1');
    await expect(run()).rejects.toThrow('This cannot be stored.');
    await repair();
    await post.disconnect();
    await end();
    const [head] = await post.atTheVendor();
    expect(await post.target()).toMatchObject({
      status: 'failed',
      postedId: head?.id,
      error: { code: 'THREAD_PARTIALLY_PUBLISHED', message: expect.stringMatching(/\(1\/2\): The account was disc/) },
    });
  });

  test('fails and shows its files if its text is missing', async () => {
    const post = await aDueVideo('telegram', 'a'.repeat(1025));
    const repair = await breakWrites('publish_steps', 'text');
    await expect(run()).rejects.toThrow('This cannot be stored.');
    await repair();
    await post.disconnect();
    await end();
    const [video] = await post.atTheVendor();
    expect(await post.target()).toMatchObject({ status: 'failed', postedId: video?.id });
  });

  test('is published with its link although the network is still processing its video', async () => {
    const post = await aDueVideo('youtube', 'A film');
    await run();
    expect(await post.target()).toMatchObject({ status: 'processing' });
    await post.disconnect();
    await end();
    const [video] = await post.atTheVendor();
    expect(await post.target()).toMatchObject({
      status: 'published',
      postedId: video?.id,
      permalink: expect.stringContaining(video!.id),
    });
  });
});
