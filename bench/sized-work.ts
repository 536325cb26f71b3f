import { sql } from 'kysely';
import type { Core } from '../src/app.ts';
import { whoIs } from '../src/features/auth/access/api-key.ts';
import { listPostGroups } from '../src/features/posts/list/list-posts.ts';
import { listPostLogs } from '../src/features/posts/list/post-logs.ts';
import { getPostGroup } from '../src/features/posts/posts.ts';
import { deleteOldLogs } from '../src/features/posts/write-queries.ts';
import { dispatchDue, nextDueTime } from '../src/features/publishing/lanes/dispatch-queries.ts';
import { periodOf, readUsage } from '../src/features/users/quotas.ts';
import { listDeliveries } from '../src/features/webhooks/delivery/deliveries.ts';
import { deleteOld } from '../src/features/webhooks/delivery/delivery-queries.ts';
import { commonWord, rareWord } from './fill.ts';
import type { Recorder } from './record-statements.ts';
import { platformIdOf, type Tenant } from './tenants.ts';

/** A database with this many groups, half of which belong to one user. */
export interface SizedDatabase {
  groups: number;
  core: Core;
  record: Recorder;
  user: Tenant;
  webhookId: string;
}

export interface SizedWork {
  name: string;
  /** How often it is measured per round. */
  repeats: number;
  /** Returns the work to measure. The preparation is not measured. */
  prepare(database: SizedDatabase): Promise<() => Promise<unknown>>;
}

type Query = Parameters<typeof listPostGroups>[2];
type ListQuery = Query | ((database: SizedDatabase) => Query | Promise<Query>);

/** Every filter and sort order of list-posts. */
const lists: Record<string, ListQuery> = {
  'first page': {},
  'page 20': { page: '20' },
  'page in the middle': ({ groups }) => ({ page: String(Math.ceil(groups / 80)) }),
  'status=scheduled': { status: 'scheduled' },
  'status=failed': { status: 'failed' },
  'status that few posts have': { status: 'partially_published' },
  'status that few posts have, sortBy=updatedAt': { status: 'partially_published', sortBy: 'updatedAt' },
  'status that few posts have, sortBy=scheduledTime': { status: 'partially_published', sortBy: 'scheduledTime' },
  'platform that most posts have': { platform: 'mastodon' },
  'platform that most posts have, sortBy=updatedAt': { platform: 'mastodon', sortBy: 'updatedAt' },
  'platform that most posts have, sortBy=scheduledTime': { platform: 'mastodon', sortBy: 'scheduledTime' },
  'platform that most posts have, page 20': { platform: 'mastodon', page: '20' },
  'platform that few posts have': { platform: 'threads' },
  'platform that few posts have, sortBy=updatedAt': { platform: 'threads', sortBy: 'updatedAt' },
  'platform that few posts have, sortBy=scheduledTime': { platform: 'threads', sortBy: 'scheduledTime' },
  'status=failed and platform that most posts have': { status: 'failed', platform: 'mastodon' },
  'status and platform that few posts have': { status: 'partially_published', platform: 'threads' },
  'sortBy=updatedAt': { sortBy: 'updatedAt' },
  'sortBy=scheduledTime': { sortBy: 'scheduledTime' },
  'sortBy=scheduledTime, ascending': { sortBy: 'scheduledTime', sortOrder: 'asc' },
  'fromDate and toDate around 100 posts': async (database) => {
    const { from, to } = await rangeOf100(database);
    return { fromDate: from, toDate: to };
  },
  'channel that most posts have': ({ user }) => ({ channel: platformIdOf(user.connections[0]!) }),
  'channel that few posts have': ({ user }) => ({ channel: platformIdOf(user.connections[3]!) }),
  'search for a word that every post contains': { q: commonWord },
  'search for a word that few posts contain': { q: rareWord },
};

export const sizedWork: SizedWork[] = [
  ...Object.entries(lists).map(([name, query]) => listing(`list-posts, ${name}`, query)),
  listing('calendar range of 100 posts', async (database) => ({
    ...(await rangeOf100(database)),
    fields: 'compact',
    limit: '1000',
  })),
  {
    name: 'get-post',
    repeats: 30,
    prepare: async (database) => {
      const [who, id] = [await callerOf(database), await someGroup(database)];
      return () => getPostGroup(database.core, who, id);
    },
  },
  {
    name: 'get-post-logs',
    repeats: 30,
    prepare: async (database) => {
      const [who, id] = [await callerOf(database), await someGroup(database)];
      return () => listPostLogs(database.core, who, id);
    },
  },
  {
    name: 'dispatcher tick, nothing due',
    repeats: 30,
    prepare:
      async ({ core }) =>
      () =>
        tick(core, new Date()),
  },
  {
    name: 'dispatcher tick, 20 due',
    repeats: 10,
    prepare: async ({ core }) => {
      const { rows } = await core.pool.query(
        `select scheduled_at from post_groups where status = 'scheduled' order by scheduled_at limit 1 offset 19`,
      );
      return () => tick(core, rows[0].scheduled_at);
    },
  },
  {
    name: 'quota check',
    repeats: 30,
    prepare: async ({ core, user }) => {
      const period = periodOf(core.clock.now());
      return () => readUsage(core.db, { ownerId: user.userId, period });
    },
  },
  {
    name: 'webhook log',
    repeats: 30,
    prepare:
      async ({ core, user, webhookId }) =>
      () =>
        listDeliveries(core, { ...user, ownerId: user.userId }, webhookId),
  },
  {
    name: 'pruning 1,000 log entries',
    repeats: 3,
    prepare: async ({ core }) => {
      await core.pool.query(
        `insert into post_logs (id, post_group_id, user_id, event, created_at)
        select substr(md5(number || clock_timestamp()::text), 1, 24), md5(number::text), 'none', 'processing',
          now() - interval '4 years'
        from generate_series(1, 1000) as number`,
      );
      return () => deleteOldLogs(core.db, new Date(Date.now() - 3 * yearMs));
    },
  },
  {
    name: 'pruning 1,000 events',
    repeats: 3,
    prepare: async ({ core }) => {
      await core.pool.query(
        `insert into events (id, user_id, type, body, created_at)
        select substr(md5(number || clock_timestamp()::text), 1, 24), 'none', 'post.published', '{}',
          now() - interval '4 years'
        from generate_series(1, 1000) as number`,
      );
      return () => deleteOld(core.db, 'events', new Date(Date.now() - 3 * yearMs));
    },
  },
];

const yearMs = 365 * 86_400_000;

function listing(name: string, query: ListQuery): SizedWork {
  const prepare = async (database: SizedDatabase) => {
    const who = await callerOf(database);
    const asked = typeof query === 'function' ? await query(database) : query;
    return async () => {
      const { posts } = await listPostGroups(database.core, who, asked);
      if (posts.length === 0) throw new Error(`${name} finds nothing.`);
    };
  };
  return { name, repeats: 15, prepare };
}

const callerOf = ({ core, user }: SizedDatabase) => whoIs(core.db, user.userId);

/** Does what the dispatcher does when it wakes up, and rolls it back. */
async function tick({ db }: Core, now: Date) {
  const undone = new Error('undone');
  const work = db.transaction().execute(async (tx) => {
    await dispatchDue(tx, now, 1_000, new Date(0));
    await nextDueTime(tx, now, new Date(0));
    throw undone;
  });
  await work.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
}

async function someGroup({ core, user }: SizedDatabase): Promise<string> {
  const { rows } = await core.pool.query(
    `select id from post_groups where user_id = $1 and status = 'published' order by created_at desc limit 1`,
    [user.userId],
  );
  return rows[0].id;
}

/** Always the same number of posts, regardless of the total. */
async function rangeOf100({ core, user }: SizedDatabase): Promise<{ from: string; to: string }> {
  const { rows } = await sql<{ at: Date }>`
    select scheduled_at as at from post_groups where user_id = ${user.userId} and scheduled_at is not null
    order by scheduled_at limit 100`.execute(core.db);
  return { from: rows[0]!.at.toISOString(), to: rows.at(-1)!.at.toISOString() };
}
