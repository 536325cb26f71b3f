import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import type { RemotePostName } from '../../posts/list/published-posts.ts';

/**
 * The cached values of posts in their order, read in one statement. Null unless all of them are cached, were
 * published by this user, and have accounts that are still connected.
 */
export async function readAllCached<T extends Json>(
  db: Db,
  userId: string,
  posts: readonly (RemotePostName & { key: string })[],
  now: Date,
): Promise<(T | null)[] | null> {
  const { rows } = await sql<{ value: T | null }>`
    select cache.value from unnest(
      ${posts.map(({ platform }) => platform)}::text[],
      ${posts.map(({ accountId }) => accountId)}::text[],
      ${posts.map(({ postedId }) => postedId)}::text[],
      ${posts.map(({ key }) => key)}::text[]
    ) with ordinality as wanted (platform, account_id, posted_id, key, place)
    join statistics_cache cache on cache.key = wanted.key and cache.expires_at > ${now}
    join connections on connections.user_id = ${userId} and connections.platform = wanted.platform
      and connections.account_id = wanted.account_id
    where exists (
      select from platform_posts p
      where p.posted_id = wanted.posted_id and p.user_id = ${userId} and p.platform = wanted.platform
        and p.account_id = wanted.account_id and p.status = 'published'
    )
    order by place`.execute(db);
  return rows.length === posts.length ? rows.map(({ value }) => value) : null;
}
