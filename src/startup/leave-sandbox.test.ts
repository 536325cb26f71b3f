import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../test/support/database/postgres.ts';
import { temporaryFolder } from '../../test/support/database/temporary-server.ts';
import { openSandbox } from '../../test/support/servers/sandbox.ts';
import { type TestAppOptions, testApp } from '../../test/support/service/app.ts';
import { recordedLog } from '../../test/support/service/recorded-log.ts';
import { insertTestUser } from '../../test/support/service/user.ts';
import { whoIs } from '../features/auth/access/api-key.ts';
import { storeGrant } from '../features/connections/connections.ts';
import { createPostGroup } from '../features/posts/create/create-post.ts';
import { buildServer } from '../surfaces/server.ts';
import { leaveSandbox } from './leave-sandbox.ts';
import { seedDemo } from './seed-demo.ts';

/** A process on data created in the sandbox, with its demo account. */
async function liveOnSandboxData(log: TestAppOptions['log']) {
  await using stack = new AsyncDisposableStack();
  const database = await testDatabase();
  stack.defer(() => database.close());
  const folder = await temporaryFolder();
  stack.defer(() => folder.remove());
  const sandbox = await openSandbox('mastodon');
  stack.defer(() => sandbox.close());
  const environment = { DATA_DIR: folder.path };
  const before = await testApp({ database, sandboxUrl: sandbox.url, environment });
  const demo = await seedDemo(before.app, sandbox.url);
  if (!demo) throw new Error('There is no demo account.');
  await before.close();

  const live = await testApp({ database, environment: { ...environment, NETWORKS: 'live' }, ...(log && { log }) });
  stack.defer(() => live.close());
  const server = await buildServer(live.app);
  stack.defer(() => server.close());
  const kept = stack.move();
  onTestFinished(() => kept.disposeAsync());
  return { app: live.app, server, demo, demoFile: join(folder.path, 'demo.json') };
}

test('going live on data made in the sandbox ends the demo account, sandbox connections and their scheduled posts', async () => {
  const { log, lines } = recordedLog();
  const { app, server, demo, demoFile } = await liveOnSandboxData(log);
  const list = () => server.inject({ url: '/api/v1/list-posts', headers: { 'x-service-key': demo.apiKey } });
  const statuses = async () =>
    (await app.db.selectFrom('post_groups').select('status').where('user_id', '=', demo.userId).execute()).map(
      ({ status }) => status,
    );
  expect((await list()).statusCode).toBe(200);
  expect(await statuses()).toContain('scheduled');

  // Connections made after going live have nothing to do with the sandbox.
  const ada = await insertTestUser(app, { email: 'ada@example.com', plan: 'pro' });
  const account = { id: '7', handle: 'ada', displayName: 'Ada', avatarUrl: null, profileUrl: null, traits: {} };
  const grant = { account, credentials: { accessToken: 'none' }, scopes: [], expiresAt: null };
  const { platformId } = await storeGrant(app, ada.id, 'bluesky', grant);
  const scheduledTime = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
  const who = await whoIs(app.db, ada.id);
  await createPostGroup(app, who, { content: 'A real post', platforms: [platformId], scheduledTime });

  await leaveSandbox(app);
  expect((await list()).statusCode).toBe(401);
  const { email, password } = demo;
  const signIn = await server.inject({ method: 'POST', url: '/api/v1/auth/signin', payload: { email, password } });
  expect(signIn.statusCode).toBe(401);
  await expect(access(demoFile)).rejects.toThrow('ENOENT');
  expect(new Set(await statuses())).toEqual(new Set(['draft']));
  expect(await app.db.selectFrom('connections').select('account_id').execute()).toEqual([{ account_id: '7' }]);
  const ofAda = app.db.selectFrom('post_groups').select('status').where('user_id', '=', ada.id);
  expect(await ofAda.execute()).toEqual([{ status: 'scheduled' }]);

  const text = JSON.stringify(lines);
  expect(text).toContain('This data was created in the sandbox, and Crier is now live.');
  for (const secret of [password, demo.apiKey]) expect(text).not.toContain(secret);
  lines.length = 0;
  await leaveSandbox(app);
  expect(lines).toEqual([]);
});
