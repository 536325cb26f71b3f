import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../test/support/database/temporary-server.ts';
import { publishDue } from '../../../test/support/publishing/publish-due.ts';
import { publishVideo } from '../../../test/support/publishing/video-post.ts';
import { testApp, testClock } from '../../../test/support/service/app.ts';
import type { App } from '../../app.ts';
import { createUser } from '../accounts/operator/users.ts';
import { type Who, whoIs } from '../auth/access/api-key.ts';
import { connectSandboxAccount } from '../connections/connect/sandbox.ts';
import { listPostLogs } from '../posts/list/post-logs.ts';
import { getPostGroup } from '../posts/posts.ts';
import { lateness } from './attempt/metrics.ts';

const clock = testClock();
const processingSeconds = 1_000;

let folder: TemporaryFolder;
let app: App;
let who: Who;
let platformId: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const now = () => clock.now().getTime();
  const processingMs = processingSeconds * 1000;
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', folder: null, processingMs, now });
  const ours = await testApp({ clock, sandboxUrl: sandbox.url, environment: { DATA_DIR: folder.path } });
  app = ours.app;
  const { id } = await createUser(app, { email: 'videos@example.com', password: 'long enough', plan: 'pro' });
  const account = { platform: 'mastodon', handle: 'videos' } as const;
  platformId = (await connectSandboxAccount(app, sandbox.url, id, account)).platformId;
  who = await whoIs(app.db, id);
  stop = async () => {
    await ours.close();
    await sandbox.close();
    await folder.remove();
  };
});
afterAll(() => stop());

test('polling a platform for its processing writes one publication to log and lateness', async () => {
  const before = await observed();
  const id = await publishVideo(app, who, platformId, 'A long video');
  for (let seconds = 0; seconds <= processingSeconds; seconds += 5) {
    await publishDue(app);
    clock.advance({ seconds: 5 });
  }
  expect((await getPostGroup(app, who, id)).status).toBe('published');
  const { logs } = await listPostLogs(app, who, id);
  expect(logs.map(({ event }) => event)).toEqual(['scheduled', 'processing', 'publish_attempted', 'publish_succeeded']);
  expect((await observed()) - before).toBe(1);
});

/** The number of publications with a recorded lateness. */
async function observed(): Promise<number> {
  const { values } = await lateness.get();
  const count = values.find(
    ({ metricName, labels }) => metricName?.endsWith('_count') && labels.platform === 'mastodon',
  );
  return count?.value ?? 0;
}
