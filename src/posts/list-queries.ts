import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { ListedMedia } from '../media/media.ts';
import { mediaOf, type StoredGroup, type StoredPost } from './read-queries.ts';
import { type Found, isFound } from './word-queries.ts';

export interface Page {
  userId: string;
  /** Empty: all. */
  statuses: readonly string[];
  platform: string | null;
  channel: { platform: string; accountId: string } | null;
  /** Null: there is no search. */
  found: Found | null;
  from: Date | null;
  to: Date | null;
  sortBy: 'createdAt' | 'updatedAt' | 'scheduledTime';
  ascending: boolean;
  limit: number;
  offset: number;
}

export interface ListedGroup extends Pick<StoredGroup, 'id' | 'status' | 'scheduled_at' | 'media'> {
  content: string;
  posts: Pick<StoredPost, 'id' | 'platform' | 'account_id' | 'status' | 'posted_id' | 'permalink'>[];
  created_at: Date;
  updated_at: Date;
}

/**
 * An index covers filter and order, so that counting and sorting read no rows but those of the page. Each group is a row of its
 * own, because its text may be long and one value with all of them would be parsed at once.
 */
export async function selectPage(db: Db, page: Page): Promise<{ total: number; groups: ListedGroup[] }> {
  const { rows } = await sql<{ total: number } & (ListedGroup | { id: null })>`
    with page as (${placesOf(page)}),
    counted as (select count(*)::int as total ${matching(page)})
    select total, ${listedColumns}
    from counted left join (page join post_groups g on g.id = page.id) on true
    order by place`.execute(db);
  return { total: rows[0]!.total, groups: rows.filter((row) => row.id !== null) };
}

/** The same without the total, which takes as long as the list is. */
export async function selectUncountedPage(db: Db, page: Page): Promise<ListedGroup[]> {
  const { rows } = await sql<ListedGroup>`
    with page as (${placesOf(page)})
    select ${listedColumns} from page ${groupsOnPage} order by place`.execute(db);
  return rows;
}

export interface CompactGroup extends Pick<StoredGroup, 'id' | 'status' | 'scheduled_at'> {
  content: string;
  version: number;
  posts: (Pick<StoredPost, 'platform' | 'account_id' | 'status'> & {
    published_at: string | null;
    /** Why it failed. */
    failure: string | null;
  })[];
  /** The first file. */
  media: ListedMedia[];
}

export async function selectCompactPage(db: Db, page: Page, contentLength: number): Promise<CompactGroup[]> {
  const { rows } = await sql<CompactGroup>`
    with page as (${placesOf(page)})
    select g.id, left(content, ${contentLength}) as content, status, scheduled_at, version,
      ${compactPosts} as posts, ${mediaOf(sql`g.media_ids[1:1]`)} as media
    from page ${groupsOnPage} order by place`.execute(db);
  return rows;
}

/** One by one: for a long page, the planner would otherwise read a table of moderate size from its begin to its end. */
const groupsOnPage = sql`cross join lateral (select * from post_groups where post_groups.id = page.id limit 1) g`;

const placesOf = (page: Page) => sql`select id, row_number() over () as place from (${idsInOrder(page)}) ordered`;

function matching(page: Page): RawBuilder<unknown> {
  return sql`
    from post_groups where user_id = ${page.userId}
    ${withStatus(page)}
    ${when(page.from, (from) => sql`and scheduled_at >= ${from}`)}
    ${when(page.to, (to) => sql`and scheduled_at <= ${to}`)}
    ${when(
      page.platform,
      (platform) => sql`and exists (
        select from platform_posts where post_group_id = post_groups.id and platform = ${platform})`,
    )}
    ${when(
      page.channel,
      ({ platform, accountId }) => sql`and exists (
        select from platform_posts
        where post_group_id = post_groups.id and platform = ${platform} and account_id = ${accountId})`,
    )}
    ${when(page.found, (found) => sql`and ${isFound(page.userId, found)}`)}`;
}

function withStatus({ statuses }: Pick<Page, 'statuses'>): RawBuilder<unknown> {
  if (statuses.length === 0) return sql``;
  return statuses.length === 1 ? sql`and status = ${statuses[0]}` : sql`and status = any (${statuses}::text[])`;
}

/** In the order of an index, forwards or backwards. Groups without a time come last in both directions. */
function idsInOrder(page: Page) {
  const { sortBy, ascending, from, to, limit, offset } = page;
  const column = sql.ref({ createdAt: 'created_at', updatedAt: 'updated_at', scheduledTime: 'scheduled_at' }[sortBy]);
  const order = ascending ? sql`order by ${column}, id` : sql`order by ${column} desc, id desc`;
  const place = sql`limit ${limit} offset ${offset}`;
  if (isOfOneChannel(page)) return idsOfChannel(page, page.channel);
  if (sortBy !== 'scheduledTime' || ascending || from || to) return sql`select id ${matching(page)} ${order} ${place}`;
  // Read backwards, the index has groups without a time first, so they are read separately.
  const upToPage = sql`${order} limit ${offset + limit}`;
  return sql`
    select id from (
      (select id, scheduled_at ${matching(page)} and scheduled_at is not null ${upToPage})
      union all
      (select id, scheduled_at ${matching(page)} and scheduled_at is null ${upToPage})
    ) both_kinds
    order by scheduled_at desc nulls last, id desc ${place}`;
}

type OfOneChannel = Page & { channel: NonNullable<Page['channel']> };

/** Such a list would otherwise read all groups of the user until it has found those of a channel that has few. */
const isOfOneChannel = (page: Page): page is OfOneChannel =>
  page.channel !== null && page.sortBy === 'createdAt' && !page.platform && !page.found && !page.from && !page.to;

/** Ids sort by the time at which they were made. */
function idsOfChannel(page: Page, { platform, accountId }: NonNullable<Page['channel']>) {
  return sql`
    select post_group_id as id from platform_posts
    where user_id = ${page.userId} and platform = ${platform} and account_id = ${accountId}
    ${
      page.statuses.length === 0
        ? sql``
        : sql`and exists (select from post_groups where id = post_group_id ${withStatus(page)})`
    }
    order by post_group_id ${page.ascending ? sql`asc` : sql`desc`} limit ${page.limit} offset ${page.offset}`;
}

/** Without their texts, which lists do not show. */
const listedPosts = sql`
  coalesce((
    select json_agg(post order by position) from (
      select id, platform, account_id, status, posted_id, permalink, position
      from platform_posts where post_group_id = g.id
    ) post
  ), '[]')`;
const compactPosts = sql`
  coalesce((
    select json_agg(post order by position) from (
      select platform, account_id, status, published_at, position,
        case when status = 'failed' then error ->> 'message' end as failure
      from platform_posts where post_group_id = g.id
    ) post
  ), '[]')`;

const listedColumns = sql`
  g.id, content, status, scheduled_at, created_at, updated_at, ${listedPosts} as posts,
  ${mediaOf(sql`g.media_ids`)} as media`;

function when<T>(value: T | null, clause: (value: T) => RawBuilder<unknown>): RawBuilder<unknown> {
  return value === null ? sql`` : clause(value);
}
