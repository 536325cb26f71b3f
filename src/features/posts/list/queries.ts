import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import type { ListedMedia } from '../../files/files.ts';
import { mediaOf, type StoredGroup, type StoredPost } from '../read-queries.ts';
import { isReconnected } from '../reconnected.ts';
import { countsOf, idsOfPage, type Page } from './page-queries.ts';

export interface ListedGroup extends Pick<StoredGroup, 'id' | 'status' | 'scheduled_at' | 'labels'> {
  content: string;
  /** Of the files, in order. */
  storage_keys: string[];
  posts: Pick<StoredPost, 'id' | 'platform' | 'account_id' | 'status' | 'posted_id' | 'permalink'>[];
  created_at: Date;
  updated_at: Date;
}

/**
 * The total and the page are read from the same snapshot. Each group is a separate row: a single value with all their
 * texts could be long, and would be parsed in one go.
 */
export async function selectPage(db: Db, page: Page): Promise<{ total: number; groups: ListedGroup[] }> {
  const { rows } = await sql<{ total: number } & (ListedGroup | { id: null })>`
    with ${countsOf(page)}, page as (${placesOf(page)})
    select matching::int as total, ${listedColumns}
    from counts left join (page ${groupsOnPage}) on true
    order by place`.execute(db);
  return { total: rows[0]!.total, groups: rows.filter((row) => row.id !== null) };
}

/** Like `selectPage` without the total, which for a search or a channel takes as long as listing everything. */
export async function selectUncountedPage(db: Db, page: Page): Promise<ListedGroup[]> {
  const { rows } = await sql<ListedGroup>`
    with ${countsOf(page)}, page as (${placesOf(page)})
    select ${listedColumns} from page ${groupsOnPage} order by place`.execute(db);
  return rows;
}

export interface CompactGroup extends Pick<StoredGroup, 'id' | 'status' | 'scheduled_at' | 'labels'> {
  content: string;
  created_at: Date;
  updated_at: Date;
  version: number;
  posts: (Pick<StoredPost, 'platform' | 'account_id' | 'status'> & {
    published_at: string | null;
    /** Why the post failed. */
    failure: string | null;
    /** Whether retry-post publishes it again. */
    retryable: boolean | null;
  })[];
  /** Only the first file. */
  media: ListedMedia[];
}

export async function selectCompactPage(db: Db, page: Page, contentLength: number): Promise<CompactGroup[]> {
  const { rows } = await sql<CompactGroup>`
    with ${countsOf(page)}, page as (${placesOf(page)})
    select g.id, left(content, ${contentLength}) as content, status, scheduled_at, created_at, updated_at, version,
      labels,
      ${compactPosts} as posts, ${mediaOf(sql`g.media_ids[1:1]`)} as media
    from page ${groupsOnPage} order by place`.execute(db);
  return rows;
}

/** Looks up one group at a time. For a long page, the planner would otherwise scan a whole table of moderate size. */
const groupsOnPage = sql`cross join lateral (select * from post_groups where post_groups.id = page.id limit 1) g`;

const placesOf = (page: Page) => sql`select id, row_number() over () as place from (${idsOfPage(page)}) ordered`;

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
        case when status = 'failed' then error ->> 'message' end as failure,
        case when status = 'failed' then (error ->> 'retryable')::boolean or ${isReconnected} end as retryable
      from platform_posts where post_group_id = g.id
    ) post
  ), '[]')`;

const listedColumns = sql`
  g.id, content, status, scheduled_at, labels, created_at, updated_at, ${listedPosts} as posts,
  array(
    select coalesce(original.storage_key, media.storage_key)
    from unnest(g.media_ids) with ordinality as listed (id, place) join media on media.id = listed.id
      left join media original on original.id = media.copy_of
    where coalesce(original.storage_key, media.storage_key) is not null order by listed.place
  ) as storage_keys`;
