import { z } from 'zod';
import { planKeys } from '../../config/plans.ts';
import type { Db } from '../../foundation/db/database.ts';
import type { Problem } from '../../foundation/errors/index.ts';
import { selectStoredBytes, setQuotaLimits } from './quota-queries.ts';
import { limitExceeded, quotaCodes } from './quotas.ts';

export { quotaLimits, setQuotaLimits } from './quota-queries.ts';

/**
 * Runs `work` in a transaction that fails if the user and those who share its plan would exceed a quota. The database
 * counts at the end of the transaction, one user of an owner after the other, so the limits are exact.
 */
export function withinQuotas<T>(db: Db, userId: string, work: (tx: Db) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .execute(async (tx) => {
      await setQuotaLimits(tx, userId);
      return work(tx);
    })
    .catch(throwQuotaProblem);
}

/** For `.catch()` of a transaction with quota limits. */
export function throwQuotaProblem(error: unknown): never {
  throw quotaProblem(error) ?? error;
}

/** The problem, if the transaction failed because of a quota. */
export function quotaProblem(error: unknown): Problem | null {
  if (!isRefusal(error)) return null;
  const code = quotaCodes.find((known) => known === error.message);
  return code ? limitExceeded(code, Refused.parse(JSON.parse(error.detail))) : null;
}

export interface StorageRoom {
  bytes: number;
  refusal(requested: number): Problem;
}

/** How many bytes the user may still store, so that a file that is too large is not received to its end. */
export async function storageRoom(db: Db, userId: string): Promise<StorageRoom> {
  const { plan, limit, used } = await selectStoredBytes(db, userId);
  return {
    bytes: Math.max(0, limit - used),
    refusal: (requested: number) => limitExceeded('STORAGE_LIMIT_REACHED', { plan, limit, used, requested }),
  };
}

const Refused = z.object({ plan: z.enum(planKeys), limit: z.number(), used: z.number(), requested: z.number() });

/** The error raised by change_quota_usage(). */
const isRefusal = (error: unknown): error is Error & { detail: string } =>
  error instanceof Error && 'code' in error && error.code === 'CR403' && 'detail' in error && Boolean(error.detail);
