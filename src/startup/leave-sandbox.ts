import { rm } from 'node:fs/promises';
import type { Core } from '../app.ts';
import { deactivateUser } from '../features/accounts/operator/switches.ts';
import { systemActor } from '../features/audit/actors.ts';
import { disconnectSandbox } from '../features/connections/disconnect.ts';
import { demoteSandboxPosts } from '../features/posts/update/demote.ts';
import { demoEmail, demoFile } from './seed-demo.ts';

/**
 * On data created in the sandbox, ends everything that belongs there: a demo login whose password was logged, and
 * connections to accounts that do not exist on the real networks. Must run before posts are published. Logs what it has
 * done.
 */
export async function leaveSandbox(app: Core) {
  const isDemoClosed = await closeDemo(app);
  // Posts first, because they are found by their connections.
  const drafts = await demoteSandboxPosts(app);
  const connections = await disconnectSandbox(app);
  if (!isDemoClosed && connections === 0) return;
  app.log.warn(
    { demoClosed: isDemoClosed, connectionsEnded: connections, postsReturnedToDraft: drafts },
    'This data was created in the sandbox, and Crier is now live. The demo account is closed, connections to sandbox accounts ' +
      'are removed, and posts scheduled for them are drafts. Connect real accounts and schedule the posts again.',
  );
}

/** True if it was open. */
async function closeDemo(app: Core): Promise<boolean> {
  await rm(demoFile(app.config.dataDir), { force: true });
  const demo = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', demoEmail)
    .where('is_active', '=', true)
    .executeTakeFirst();
  if (demo) await deactivateUser(app, demo.id, systemActor);
  return demo !== undefined;
}
