import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import type { MediaRecord } from '../../files/queries.ts';

export interface MediaPage {
  userId: string;
  type: MediaRecord['type'] | null;
  limit: number;
  offset: number;
}

/** A row of a list: a file, its size, and the start of its post's text. */
export interface MediaRow
  extends Pick<
    MediaRecord,
    'id' | 'sourceFileName' | 'storageKey' | 'type' | 'mimeType' | 'altText' | 'status' | 'metadata'
  > {
  bytes: number;
  createdAt: Date;
  /** Null if the post does not list the file. */
  post: { postGroupId: string; status: PostStatus; excerpt: string } | null;
}
type PostStatus = 'draft' | 'scheduled' | 'published' | 'failed' | 'partially_published';

const excerptLength = 100;

/** Newest first. An index covers filter and order, so only the rows of the page are read. */
export async function selectMediaPage(
  db: Db,
  { userId, type, limit, offset }: MediaPage,
): Promise<{ total: number; files: MediaRow[] }> {
  const matching = sql`
    from media where user_id = ${userId} and purpose = 'post' ${type === null ? sql`` : sql`and type = ${type}`}`;
  const { rows } = await sql<{ total: number } & (MediaRow | { id: null })>`
    with page as (
      select id, row_number() over () as place from (
        select id ${matching} order by created_at desc, id desc limit ${limit} offset ${offset}
      ) ordered
    ),
    counted as (select count(*)::int as total ${matching})
    select total, m.id, m.source_file_name as "sourceFileName", m.storage_key as "storageKey", m.type,
      m.mime_type as "mimeType", m.alt_text as "altText", m.status, m.metadata, m.bytes::float8 as bytes,
      m.created_at as "createdAt", case when m.id = any (g.media_ids) then json_build_object('postGroupId', g.id,
        'status', g.status, 'excerpt', left(g.content, ${excerptLength})) end as post
    from counted left join (page join media m on m.id = page.id join post_groups g on g.id = m.post_group_id) on true
    order by place`.execute(db);
  return { total: rows[0]!.total, files: rows.filter((row) => row.id !== null) };
}
