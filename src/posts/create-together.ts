import pg from 'pg';
import type { Db } from '../db/database.ts';
import { longLockTimeout, shortLockTimeout } from '../db/lock-timeout.ts';
import { batching } from '../lib/batch.ts';
import type { Json } from '../lib/json.ts';
import { insertGroups, isHeld, type NewPost } from './create-queries.ts';

type Insert = (post: NewPost) => Promise<Json | null>;

const inserts = new WeakMap<Db, Insert>();

/**
 * Stores a post like `insertGroups`. Posts that are created while others are being stored share a statement, so that under load
 * they share the cost of a round trip and a commit. One that the statement refuses is then stored alone.
 */
export async function createTogether<T extends Json>(db: Db, post: NewPost<T>): Promise<T | null> {
  if (db.isTransaction || isHeld(post.group)) return (await insertGroups(db, [post]))[0] ?? null;
  const insert = inserts.get(db) ?? sharedInsert(db);
  inserts.set(db, insert);
  // What is stored is the given answer with warnings.
  return (await insert(post)) as T | null;
}

function sharedInsert(db: Db): Insert {
  const batched = batching({ max: 32, maxRunning: 2, isRolledBack });
  return batched((posts: NewPost[], alone) => insertGroups(db, posts, alone ? longLockTimeout : shortLockTimeout));
}

/** PostgreSQL answered with an error, so the statement was rolled back. A lost connection proves nothing. */
const isRolledBack = (error: unknown) => error instanceof pg.DatabaseError;
