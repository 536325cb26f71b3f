import type { DatabaseSync } from 'node:sqlite';
import type { Post } from './posts.ts';

/** Likes, boosts and similar: which account reacted to which post, at most once per kind. */
export function createReactions(db: DatabaseSync) {
  const insert = db.prepare('insert or ignore into reactions values (?, ?, ?, ?)');
  const remove = db.prepare('delete from reactions where network = ? and post_id = ? and account_id = ? and kind = ?');
  const counts = db.prepare(
    'select kind, count(*) as count from reactions where network = ? and post_id = ? group by kind',
  );

  return {
    add: (post: Post, accountId: string, kind: string): void =>
      void insert.run(post.platform, post.id, accountId, kind),
    remove: (post: Post, accountId: string, kind: string): void =>
      void remove.run(post.platform, post.id, accountId, kind),
    counts(post: Post): Record<string, number> {
      const rows = counts.all(post.platform, post.id) as { kind: string; count: number }[];
      return Object.fromEntries(rows.map((row) => [row.kind, row.count]));
    },
  };
}
