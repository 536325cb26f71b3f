import pg from 'pg';
import type { Core } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { type LockTimeout, longLockTimeout, shortLockTimeout } from '../../../foundation/db/lock-timeout.ts';
import { batching } from '../../../foundation/lib/batch.ts';
import { claimPosts } from '../lanes/claim-queries.ts';
import { recordPublished } from './post-queries.ts';
import { beginSteps, finishSteps, type NewStep } from './step-queries.ts';

/** The app plus everything a worker needs to publish. */
export interface PublishingApp extends Core {
  readonly writes: BatchedWrites;
}

export const withBatchedWrites = <C extends Core>(core: C): C & PublishingApp => ({
  ...core,
  writes: batchedWrites(core.db),
});

/**
 * The writes that every post needs. Each call returns after its commit. Concurrent calls from different lanes share a
 * statement, so a burst costs little more than a single post.
 */
type BatchedWrites = ReturnType<typeof batchedWrites>;

function batchedWrites(db: Db) {
  const batched = batching({ max: 100, maxRunning: 3, isRolledBack: refused });
  const together = <I, O>(write: (db: Db, items: I[], lockTimeout: LockTimeout) => Promise<O[]>) =>
    batched((items: I[], alone) => write(db, items, alone ? longLockTimeout : shortLockTimeout));
  return {
    claim: together(claimPosts),
    begin: together(beginAt),
    finish: together(finishSteps),
    published: together(recordPublished),
  };
}

/** `askedAt` is a time at which the claim on the post was provably valid. Returns null if the claim was lost. */
async function beginAt(db: Db, steps: NewStep[], lockTimeout: LockTimeout) {
  const askedAt = performance.now();
  return (await beginSteps(db, steps, lockTimeout)).map((step) => step && { step, askedAt });
}

/** PostgreSQL returned an error, so the statement was rolled back. A lost connection proves nothing. */
const refused = (error: unknown) => error instanceof pg.DatabaseError;
