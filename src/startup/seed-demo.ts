import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Core } from '../app.ts';
import { createUser } from '../features/accounts/operator/users.ts';
import { whoIs } from '../features/auth/access/api-key.ts';
import { connectSandboxAccount } from '../features/connections/connect/sandbox.ts';
import { createPostGroup } from '../features/posts/create/create-post.ts';
import { allowedPlatforms, entitlementsOf } from '../features/users/quotas.ts';
import { advisoryLocks } from '../foundation/db/advisory-locks.ts';
import { platformFor, platformIds } from '../platforms/index.ts';

export interface Demo {
  email: string;
  password: string;
  userId: string;
  apiKey: string;
}

export const demoEmail = 'demo@crier.example';
export const demoFile = (dataDir: string) => join(dataDir, 'demo.json');

/** Creates a demo account on an empty database. Later starts read it from the data folder. */
export async function seedDemo(app: Core, sandboxUrl: string): Promise<Demo | null> {
  const file = demoFile(app.config.dataDir);
  // The transaction only holds the lock. Behind a pooler, no lock lasts longer than that.
  return app.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${advisoryLocks.demo})`.execute(tx);
    const user = await app.db.selectFrom('users').select('id').executeTakeFirst();
    if (user) return readDemo(file, app);
    const demo = await makeAccount(app);
    await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
    await makeConnectionsAndPosts(app, sandboxUrl, demo.userId);
    return demo;
  });
}

/** Null if the file belongs to another database, or if the demo account was deleted or closed. */
async function readDemo(file: string, { db }: Core): Promise<Demo | null> {
  const demo: Demo | null = await readFile(file, 'utf8').then(JSON.parse, () => null);
  const user =
    demo &&
    (await db
      .selectFrom('users')
      .select('id')
      .where('id', '=', demo.userId)
      .where('is_active', '=', true)
      .executeTakeFirst());
  return user ? demo : null;
}

async function makeAccount(app: Core): Promise<Demo> {
  const password = randomBytes(9).toString('base64url');
  const { id, apiKey } = await createUser(app, { email: demoEmail, password, name: 'Demo' });
  return { email: demoEmail, password, userId: id, apiKey };
}

async function makeConnectionsAndPosts(app: Core, sandboxUrl: string, userId: string) {
  const { connections: max } = entitlementsOf(app.config.defaultPlan, null);
  const allowed = allowedPlatforms(app.config.defaultPlan);
  const connected = platformIds.filter((platform) => allowed?.includes(platform) ?? true).slice(0, max ?? undefined);
  // Criers that share a sandbox use separate accounts in it: a network may refuse the same text twice from one account.
  const handle = `demo${userId.slice(-8)}`;
  const ids: string[] = [];
  for (const platform of connected) {
    const { platformId } = await connectSandboxAccount(app, sandboxUrl, userId, { platform, handle });
    // The other platforms need an image or a video.
    if (!platformFor(platform)?.limits.mediaRequired) ids.push(platformId);
  }
  const who = await whoIs(app.db, userId);
  const tomorrow = new Date(app.clock.now().getTime() + 24 * 3_600_000).toISOString();
  await createPostGroup(app, who, { content: 'Hello from Crier 👋', platforms: ids, publishNow: true });
  await createPostGroup(app, who, {
    content: 'This post goes out tomorrow.',
    platforms: ids.slice(0, 1),
    scheduledTime: tomorrow,
  });
  await createPostGroup(app, who, { content: 'A draft that is not finished yet.', platforms: ids });
}
