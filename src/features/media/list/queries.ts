import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import type { MediaRecord } from '../../files/queries.ts';

export interface MediaPage {
  userId: string;
  type: MediaRecord['type'] | null;
  search: string | null;
  label: string | null;
  limit: number;
  offset: number;
}

/** A row of a list: a file, its size, and the posts that use it. */
export interface MediaRow
  extends Pick<
    MediaRecord,
    'id' | 'sourceFileName' | 'storageKey' | 'type' | 'mimeType' | 'altText' | 'status' | 'metadata'
  > {
  labels: string[];
  bytes: number;
  createdAt: Date;
  inLibrary: boolean;
  postCount: number;
  /** Newest first. Without posts that no longer list the file. */
  posts: { postGroupId: string; status: PostStatus; excerpt: string }[];
}
type PostStatus = 'draft' | 'scheduled' | 'published' | 'failed' | 'partially_published';

const excerptLength = 100;
const shownPosts = 10;
const countedPosts = 1_000;
/** A search reads the newest files only, as many as the library can have, and this much of their alt texts. */
const searchedFiles = 10_000;
const searchedLength = 300;

/** Newest first. Without a search, an index covers filter and order, so only the rows of the page are read. */
export async function selectMediaPage(db: Db, page: MediaPage): Promise<{ total: number; files: MediaRow[] }> {
  const isSearch = page.search !== null || page.label !== null;
  const matching = isSearch ? sql`from found` : listedFiles(page);
  const { rows } = await sql<{ total: number } & (MediaRow | { id: null })>`
    with ${isSearch ? sql`found as materialized (${foundFiles(page)}),` : sql``} page as (
      select id, row_number() over () as place from (
        select id ${matching} order by created_at desc, id desc limit ${page.limit} offset ${page.offset}
      ) ordered
    ),
    counted as (select count(*)::int as total ${matching})
    select total, m.id, m.source_file_name as "sourceFileName", m.storage_key as "storageKey", m.type,
      m.mime_type as "mimeType", m.alt_text as "altText", m.labels, m.status, m.metadata, m.bytes::float8 as bytes,
      m.created_at as "createdAt", m.post_group_id is null as "inLibrary",
      case when m.post_group_id is null then ${copies} else json_array_length(using_posts.posts) end as "postCount",
      using_posts.posts
    from counted left join (
      page join media m on m.id = page.id cross join lateral (${postsUsing}) using_posts
    ) on true
    order by place`.execute(db);
  return { total: rows[0]!.total, files: rows.filter((row) => row.id !== null) };
}

const copies = sql`(
  select count(distinct post_group_id)::int
  from (select post_group_id from media copy where copy.copy_of = m.id limit ${countedPosts}) copies)`;

/** Ids sort by creation time. */
const postsUsing = sql`
  select coalesce(json_agg(json_build_object('postGroupId', g.id, 'status', g.status,
    'excerpt', left(g.content, ${excerptLength})) order by g.id desc), '[]') as posts
  from (
    select m.post_group_id as id where m.id = any (select unnest(media_ids) from post_groups where post_groups.id = m.post_group_id)
    union all
    (select distinct post_group_id from media copy where copy.copy_of = m.id order by 1 desc limit ${shownPosts})
  ) used join post_groups g on g.id = used.id`;

const listedFiles = ({ userId, type }: MediaPage): RawBuilder<unknown> => sql`
  from media where user_id = ${userId} and copy_of is null and purpose in ('post', 'library')
    ${type === null ? sql`` : sql`and type = ${type}`}`;

/** Materialized, so that the texts are read once for both the page and the total. */
function foundFiles(page: MediaPage): RawBuilder<unknown> {
  const { label, search } = page;
  const searched = sql`lower(concat_ws(' ', source_file_name, left(alt_text, ${searchedLength}), array_to_string(labels, ' ')))`;
  return sql`
    select id, created_at from (
      select id, created_at, source_file_name, alt_text, labels ${listedFiles(page)}
      order by created_at desc, id desc limit ${searchedFiles}
    ) newest
    where true ${label === null ? sql`` : sql`and ${label} = any (labels)`}
      ${search === null ? sql`` : sql`and strpos(${searched}, lower(${search})) > 0`}`;
}
