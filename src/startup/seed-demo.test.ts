import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishDue } from '../../test/support/publishing/publish-due.ts';
import { openSandbox, type TestSandbox } from '../../test/support/servers/sandbox.ts';
import { testApp } from '../../test/support/service/app.ts';
import { seedDemo } from './seed-demo.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox('mastodon');
});
afterAll(() => sandbox.close());

/** The statuses of the demo's posts, after all due posts were published. */
async function demoOfACrier() {
  const folder = await mkdtemp(join(tmpdir(), 'crier-seed-'));
  const { app, close } = await testApp({ sandboxUrl: sandbox.url, environment: { DATA_DIR: folder } });
  try {
    await seedDemo(app, sandbox.url);
    await publishDue(app);
    const posts = await app.db.selectFrom('platform_posts').select(['platform', 'status', 'error']).execute();
    return posts.filter(({ status }) => status !== 'draft' && status !== 'scheduled');
  } finally {
    await close();
    await rm(folder, { recursive: true });
  }
}

test('two Criers on one sandbox do not refuse each other’s demo posts', async () => {
  for (const posts of [await demoOfACrier(), await demoOfACrier()]) {
    expect(posts.length).toBeGreaterThan(4);
    expect(posts.filter(({ status }) => status !== 'published')).toEqual([]);
  }
});
