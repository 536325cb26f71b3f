import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/database/temporary-server.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { publishVideo } from '../../../test/support/publishing/video-post.ts';
import { testApp } from '../../../test/support/service/app.ts';
import type { App } from '../../app.ts';
import { createUser } from '../accounts/operator/users.ts';
import { type Who, whoIs } from '../auth/access/api-key.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';
import { createPostGroup } from '../posts/create/create-post.ts';
import { startPublishing } from './tasks.ts';

const videos = 100;
const accounts = 10;
/** Longer than this test takes. */
const processingMs = 600_000;

let folder: TemporaryFolder;
let app: App;
let who: Who;
let stop: () => Promise<void>;
const slow: string[] = [];
let quick: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', folder: null, processingMs });
  const ours = await testApp({ sandboxUrl: sandbox.url, environment: { DATA_DIR: folder.path } });
  app = ours.app;
  const { id } = await createUser(app, { email: 'slow@example.com', password: 'long enough', plan: 'agency' });
  const connect = async (platform: 'mastodon' | 'bluesky', handle: string) =>
    (await connectSandboxAccount(app, sandbox.url, id, { platform, handle })).platformId;
  for (let number = 1; number <= accounts; number += 1) slow.push(await connect('mastodon', `slow${number}`));
  quick = await connect('bluesky', 'quick');
  who = await whoIs(app.db, id);
  stop = async () => {
    await ours.close();
    await sandbox.close();
    await folder.remove();
  };
});
afterAll(() => stop());

test('a hundred videos that a platform processes slowly delay no other post', async () => {
  for (let number = 0; number < videos; number += 1)
    await publishVideo(app, who, slow[number % accounts]!, `Video ${number}`);
  const publishing = await startPublishing(app);
  try {
    await eventually(async () => expect(await uploaded()).toBe(videos), { interval: 200 });
    const { postGroupId } = await createPostGroup(app, who, { content: 'Quick', platforms: [quick], publishNow: true });
    await eventually(async () => expect(await statusOf(postGroupId)).toBe('published'), {
      interval: 20,
    });
    expect(await countOf('processing')).toBe(videos);
  } finally {
    await publishing.stop(1_000);
  }
});

/** Videos that the platform has received and is still processing. */
async function uploaded(): Promise<number> {
  const found = await app.db
    .selectFrom('publish_steps')
    .select((query) => query.fn.countAll<string>().as('count'))
    .where('name', 'like', 'upload%')
    .where('ended_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(found.count);
}

const statusOf = async (id: string) =>
  (await app.db.selectFrom('post_groups').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;

async function countOf(status: 'processing'): Promise<number> {
  const rows = await app.db.selectFrom('platform_posts').select('id').where('status', '=', status).execute();
  return rows.length;
}
