import type { DatabaseSync } from 'node:sqlite';

const batch = 500;

/** Selects the oldest rows from before a time. Row numbers grow with time, so finding the lowest needs no index. */
const oldest = (table: string, number: string) =>
  `select ${number} from (select ${number}, created_at from ${table} order by ${number} limit ${batch}) where created_at < ?`;

/**
 * Deletes some of the posts and media from before this time. Returns the number of posts, and the files that no media
 * uses any more.
 */
export function pruneOld(db: DatabaseSync, before: number): { posts: number; files: string[] } {
  const posts = db
    .prepare(`delete from posts where position in (${oldest('posts', 'position')}) returning network, id`)
    .all(before);
  const removeReactions = db.prepare('delete from reactions where network = ? and post_id = ?');
  for (const { network, id } of posts) removeReactions.run(String(network), String(id));
  const media = db
    .prepare(`delete from media where rowid in (${oldest('media', 'rowid')}) returning sha256`)
    .all(before);
  const used = db.prepare('select 1 from media where sha256 = ? limit 1');
  const hashes = new Set(media.map(({ sha256 }) => String(sha256)));
  return { posts: posts.length, files: [...hashes].filter((sha256) => !used.get(sha256)) };
}
