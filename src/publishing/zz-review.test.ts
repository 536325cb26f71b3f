import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type TestClock, testApp, testClock } from '../../test/support/app.ts';
import { everyPlace, publishDue } from '../../test/support/publishing.ts';
import type { SandboxFault, SandboxPost, TestSandbox } from '../../test/support/sandbox-client.ts';
import { type TestService, type TestUser, testService } from '../../test/support/service.ts';
import { connectSandboxAccount } from '../connections/sandbox.ts';
import { openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { PlatformError } from '../platforms/kit/index.ts';
import { settlingRunner, stepRunner } from '../platforms/kit/steps.ts';
import { dispatch } from './dispatcher.ts';
import { withJournal } from './journal.ts';
import { beat, claimLanes, leaveLane } from './lane-queries.ts';
import { publishNext } from './publish-post.ts';
import { beginSteps, noteArrival } from './step-queries.ts';
import { stepStore } from './step-store.ts';

let clock: TestClock;
let service: TestService;
let ada: TestUser;
beforeAll(async () => {
  clock = testClock();
  service = await testService({ clock });
  ada = await service.aUser();
});
afterEach(() => service.sandbox.clearFaults());
afterAll(() => service.close());
const query = (text: string, values: unknown[] = []) => service.database.pool.query(text, values);
const control: TestSandbox['control'] = (...call) => service.sandbox.control(...call);
const fault = (network: string, what: SandboxFault) => control('POST', '/faults', { network, operation: 'publish', ...what });
let posts = 0;
async function aDuePost(network: string, extra: object = {}) {
  posts += 1;
  const [content, handle] = [`Post ${posts}`, `author${posts}`];
  const { platformId } = await connectSandboxAccount(service.app, service.sandbox.url, ada.id, { platform: network as never, handle });
  const { body } = await ada.call('POST', '/create-post', { content, platforms: [platformId], publishNow: true, ...extra });
  const id: string = body.postGroupId;
  return {
    id,
    target: async () => (await ada.call('GET', `/get-post/${id}`)).body.posts[0],
    atTheNetwork: async () =>
      (await control<SandboxPost[]>('GET', `/posts?network=${network}`)).filter(({ text }) => text === content),
  };
}
async function runWith(app: ReturnType<typeof withJournal>, signal: AbortSignal, worker = 'w') {
  await dispatch(app);
  const first = await beat(app.db, { id: worker, lanes: [], dispatchedAt: null }, 60);
  await beat(app.db, { id: worker, lanes: [], strays: first.strays, dispatchedAt: null }, 60);
  for (const { connectionId } of await claimLanes(app.db, worker, app.clock.now(), everyPlace)) {
    await publishNext(app, worker, connectionId, signal);
    await leaveLane(app.db, worker, connectionId, app.clock.now());
  }
}

test('PG15: begin of a step that has arrived', async () => {
  const url = 'postgres://postgres@127.0.0.1:5999/postgres';
  await migrate(url);
  const { db, pool, close } = openDatabase(url, { max: 1 });
  await pool.query(`set session_replication_role = replica`);
  await pool.query(`insert into platform_posts (id, post_group_id, user_id, platform, account_id, position, content, status, created_at, updated_at, claim_token)
    values ('p','g','u','mastodon','a',0,'x','processing',now(),now(),'t') on conflict do nothing`);
  const step = { id: 'p', token: 't', name: 'send', now: new Date() };
  const out: unknown[] = [];
  out.push(await beginSteps(db, [step]).catch((e) => e.message));
  out.push(await beginSteps(db, [step]).catch((e) => e.message));
  out.push(await noteArrival(db, { id: 'p', token: 't' }, 'send').catch((e) => e.message));
  out.push(await beginSteps(db, [step]).catch((e) => e.message));
  console.log('PG15', out);
  await close();
});

test('replayable + find: a repeat that timed out just now is settled as nothing', async () => {
  const app = withJournal(service.app);
  const post = await aDuePost('mastodon');
  await dispatch(app);
  const [lane] = await claimLanes(app.db, 'worker', app.clock.now(), everyPlace);
  const token = app.newId();
  const { id } = (await app.journal.claim({ worker: 'worker', connectionId: lane!.connectionId, token, logIds: [app.newId(), app.newId()], now: app.clock.now() }))!;
  const steps = stepStore(app, { id, token });
  const effect = () => Promise.reject(new PlatformError('timeout', 'No answer in time.'));
  const options = { replayable: true, find: async () => null };
  await stepRunner(steps)('post', effect, options).catch(() => {});
  // The first try was a while ago; the last, just now, got no answer either.
  await query(`update publish_steps set noted_at = now() - interval '13 minutes' where platform_post_id = $1`, [id]);
  await stepRunner(steps)('post', effect, options).catch(() => {});
  const verdict = await settlingRunner(steps)('post', effect, options).catch((e) => e.name);
  console.log('REPLAYABLE verdict:', verdict);
  await query(`update platform_posts set run_at = null, claim_token = null where id = $1`, [id]);
  void post;
});

test('bluesky end to end: fourth try is accepted after we gave up', async () => {
  const post = await aDuePost('bluesky');
  const dying = await testApp({ database: service.database, sandboxUrl: service.sandbox.url, clock });
  const app = withJournal({ ...dying.app, network: { ...dying.app.network, timeoutMs: 700 } });
  for (const s of [0, 30, 120, 600]) {
    clock.advance({ seconds: s });
    await fault('bluesky', s < 600 ? { kind: 'status', status: 503 } : { kind: 'latency', latencyMs: 1200 });
    await runWith(app, new AbortController().signal);
  }
  console.log('BLUESKY told:', JSON.stringify(await post.target().then((t: { status: string; error: object }) => [t.status, t.error])));
  await new Promise((r) => setTimeout(r, 1500));
  console.log('BLUESKY there:', (await post.atTheNetwork()).length);
  await dying.close();
});

test('stopped at the last try', async () => {
  const post = await aDuePost('mastodon');
  const app = withJournal(service.app);
  await dispatch(app);
  await query(`update platform_posts set attempts = 3 where post_group_id = $1`, [post.id]);
  const stop = new AbortController();
  stop.abort();
  await runWith(app, stop.signal);
  console.log('STOP:', JSON.stringify(await post.target().then((t: { status: string; error: object }) => [t.status, t.error])));
});

test('comment aborted by a stop, though the network can tell', async () => {
  const post = await aDuePost('mastodon', { firstComment: { text: 'Stopped one' } });
  const app = withJournal(service.app);
  await runWith(app, new AbortController().signal);
  await control('POST', '/faults', { network: 'mastodon', operation: 'comment', kind: 'latency', latencyMs: 500 });
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 250);
  await runWith(app, stop.signal);
  await new Promise((r) => setTimeout(r, 700));
  const t = await post.target();
  console.log('COMMENT STOP:', JSON.stringify(t.firstCommentResult), (await control<SandboxPost[]>('GET', '/posts?network=mastodon')).filter((p) => p.text === 'Stopped one').length);
});

test('interrupted comment, then looking is refused', async () => {
  const post = await aDuePost('mastodon', { firstComment: { text: 'Taken one' } });
  const app = withJournal(service.app);
  await runWith(app, new AbortController().signal);
  const dying = await testApp({ database: service.database, sandboxUrl: service.sandbox.url, clock });
  await control('POST', '/faults', { network: 'mastodon', operation: 'comment', kind: 'latency', latencyMs: 500 });
  const run = publishDue(dying.app, 'dying').catch(() => 'died');
  await new Promise((r) => setTimeout(r, 250));
  await dying.close();
  await run;
  await query(`update workers set seen_at = now() - interval '1 hour' where id = 'dying'`);
  await new Promise((r) => setTimeout(r, 700));
  await control('POST', '/faults', { network: 'mastodon', operation: 'any', kind: 'status', status: 403, times: 20 });
  await runWith(app, new AbortController().signal);
  const t = await post.target();
  console.log('COMMENT REFUSED:', JSON.stringify(t.firstCommentResult), (await control<SandboxPost[]>('GET', '/posts?network=mastodon')).filter((p) => p.text === 'Taken one').length);
});

test('late interrupted comment on a host that is gone', async () => {
  const post = await aDuePost('mastodon', { firstComment: { text: 'Lost one' } });
  const app = withJournal(service.app);
  await runWith(app, new AbortController().signal);
  const { rows } = await query(`select id from platform_posts where post_group_id = $1`, [post.id]);
  await query(`insert into publish_steps (platform_post_id, name, started_at) values ($1, 'comment 0 comment', $2)`, [rows[0].id, clock.now()]);
  const gone = { ...app, network: { ...app.network, fetch: async () => { throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }) }); } } };
  let n = 0;
  for (let day = 0; day < 30; day += 1) {
    clock.advance({ seconds: 86_400 });
    await runWith(gone as never, new AbortController().signal);
    n += 1;
  }
  console.log('LATE:', n, JSON.stringify((await post.target()).firstCommentResult));
  await query(`update platform_posts set run_at = null where post_group_id = $1`, [post.id]);
});

test('database away for a moment when telegram answers', async () => {
  const post = await aDuePost('telegram');
  const app = withJournal(service.app);
  let failed = 0;
  const journal = { ...app.journal, finish: (item: never) => (failed++ === 0 ? Promise.reject(new Error('ECONNREFUSED')) : app.journal.finish(item)) };
  await runWith({ ...app, journal } as never, new AbortController().signal).catch((e) => console.log('run:', e.message));
  await runWith(app, new AbortController().signal);
  console.log('TELEGRAM:', JSON.stringify(await post.target().then((t: { status: string; error: object }) => [t.status, t.error])), (await post.atTheNetwork()).length);
});

test('since moves: a list that lags, and a network that refuses repeats (X, Facebook, LinkedIn pages)', async () => {
  const { memorySteps } = await import('../../test/support/memory-steps.ts');
  let now = new Date('2031-01-01T00:00:00Z');
  const steps = memorySteps({ now: () => now });
  let createdAt: Date | null = null;
  let visible = false;
  let mode: 'timeout' | 'trouble' | 'sound' = 'timeout';
  let posts = 0;
  const find = async (since: Date) => (visible && createdAt && createdAt.getTime() >= since.getTime() - 60_000 ? 'it' : null);
  const effect = async () => {
    if (mode === 'timeout') { posts += 1; createdAt = now; throw new PlatformError('timeout', 'No answer'); }
    if (mode === 'trouble') throw new PlatformError('unavailable', 'Trouble', { status: 503 });
    throw new PlatformError('rejected', 'Duplicate', { status: 403 });
  };
  const go = () => stepRunner(steps.claim())('send', effect, { find }).catch((e) => e.message);
  const out = [await go()];
  mode = 'trouble'; now = new Date('2031-01-01T00:02:00Z'); out.push(await go());
  mode = 'sound'; visible = true; now = new Date('2031-01-01T00:04:00Z'); out.push(await go());
  console.log('SINCE:', out, posts, steps.open());
});
