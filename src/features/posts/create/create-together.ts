import pg from 'pg';
import type { Db } from '../../../foundation/db/database.ts';
import { longLockTimeout, shortLockTimeout } from '../../../foundation/db/lock-timeout.ts';
import { batching } from '../../../foundation/lib/batch.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { countsForQuotas, insertGroups, type NewGroup, type NewPost } from './queries.ts';

/**
 * Longer posts get a separate statement. The text of a shared statement is built in one go and must not block the
 * event loop.
 */
const maxSharedCharacters = 10_000;
/** The rows of a target take as long as this many characters. */
const charactersPerTarget = 100;

type Insert = (post: NewPost) => Promise<Json | null>;

const inserts = new WeakMap<Db, Insert>();

/**
 * Stores a post like `insertGroups`. Posts created while others are being stored share a statement, so under load
 * they share the cost of a round trip and a commit. If a shared statement fails, its posts are stored one by one.
 */
export async function createTogether<T extends Json>(db: Db, post: NewPost<T>): Promise<T | null> {
  if (db.isTransaction || countsForQuotas(post.group) || isLong(post.group))
    return (await insertGroups(db, [post]))[0] ?? null;
  const insert = inserts.get(db) ?? sharedInsert(db);
  inserts.set(db, insert);
  // The stored value is the given response plus warnings.
  return (await insert(post)) as T | null;
}

const isLong = ({ content, targets }: NewGroup) =>
  targets.reduce((sum, target) => sum + charactersPerTarget + target.content.length, content.length) >
  maxSharedCharacters;

function sharedInsert(db: Db): Insert {
  const batched = batching({ max: 32, maxRunning: 2, isRolledBack });
  return batched((posts: NewPost[], alone) => insertGroups(db, posts, alone ? longLockTimeout : shortLockTimeout));
}

/** PostgreSQL returned an error, so the statement was rolled back. A lost connection proves nothing. */
const isRolledBack = (error: unknown) => error instanceof pg.DatabaseError;
