import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import type { ListedMedia } from '../../files/files.ts';
import { mediaOf, type StoredGroup, type StoredPost } from '../read-queries.ts';
import { countsOf, idsOfPage, type Page } from './page-queries.ts';

export interface ListedGroup extends Pick<StoredGroup, 'id' | 'status' | 'scheduled_at' | 'media' | 'labels'> {
  content: string;
  posts: Pick<StoredPost, 'id' | 'platform' | 'account_id' | 'status' | 'posted_id' | 'permalink'>[];
  created_at: Date;
  updated_at: Date;
}

/**
 * The total is that of the same moment as the page. Each group is a row of its own, because its text may be long and one value
 * with all of them would be parsed at once.
 */
export async function selectPage(db: Db, page: Page): Promise<{ total: number; groups: ListedGroup[] }> {
  const { rows } = await sql<{ total: number } & (ListedGroup | { id: null })>`
    with ${countsOf(page)}, page as (${placesOf(page)})
    select matching::int as total, ${listedColumns}
    from counts left join (page ${groupsOnPage}) on true
    order by place`.execute(db);
  return { total: rows[0]!.total, groups: rows.filter((row) => row.id !== null) };
}

/** The same without the total, which with a search or a channel takes as long as the list is. */
export async function selectUncountedPage(db: Db, page: Page): Promise<ListedGroup[]> {
  const { rows } = await sql<ListedGroup>`
    with ${countsOf(page)}, page as (${placesOf(page)})
    select ${listedColumns} from page ${groupsOnPage} order by place`.execute(db);
  return rows;
}

export interface CompactGroup extends Pick<StoredGroup, 'id' | 'status' | 'scheduled_at' | 'labels'> {
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
    with ${countsOf(page)}, page as (${placesOf(page)})
    select g.id, left(content, ${contentLength}) as content, status, scheduled_at, version, labels,
      ${compactPosts} as posts, ${mediaOf(sql`g.media_ids[1:1]`)} as media
    from page ${groupsOnPage} order by place`.execute(db);
  return rows;
}

/** One by one: for a long page, the planner would otherwise read a table of moderate size from its begin to its end. */
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
        case when status = 'failed' then error ->> 'message' end as failure
      from platform_posts where post_group_id = g.id
    ) post
  ), '[]')`;

const listedColumns = sql`
  g.id, content, status, scheduled_at, labels, created_at, updated_at, ${listedPosts} as posts,
  ${mediaOf(sql`g.media_ids`)} as media`;
