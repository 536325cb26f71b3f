import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { createFairTurns } from '../../foundation/lib/fair-turns.ts';
import type { Clock } from '../../foundation/time/clock.ts';

interface Caller {
  userId: string;
  workspaceOwnerId: string | null;
  /** An operator can switch these off for single users. */
  needs: readonly ('api' | 'mcp')[];
}

/**
 * The users whose data the owner of a workspace sees together: the owner, and the managed users that the owner may act
 * for.
 */
export async function brandsOf(db: Db, { userId, workspaceOwnerId, needs }: Caller, now: Date): Promise<string[]> {
  if (workspaceOwnerId === null || userId !== workspaceOwnerId) throw new Problem('workspace_disabled');
  return selectBrands(db, userId, { now, needs, only: null });
}

/** Requires that the caller still sees all of these users. */
export async function requireBrands(db: Db, who: Caller, userIds: readonly string[], now: Date): Promise<void> {
  const current = new Set(await brandsOf(db, who, now));
  if (!userIds.every((id) => current.has(id))) throw new Problem('user_not_managed');
}

/** Requires that the caller acts, or may act, for this user. */
export async function requireBrand(db: Db, who: Caller, userId: string, now: Date): Promise<void> {
  if (userId === who.userId) return;
  const [found] =
    who.workspaceOwnerId === null
      ? []
      : await selectBrands(db, who.workspaceOwnerId, { now, needs: who.needs, only: userId });
  if (found === undefined) throw new Problem('user_not_managed');
}

/** How long a request relies on the last look at the brands. */
const reliedUponMs = 1_000;

/** For reads of some brands after the other, each in its turn: a brand may have left while the read waited. */
export function recheckBrands({ db, clock }: { db: Db; clock: Clock }, who: Caller) {
  let checkedAt = clock.now().getTime();
  return async (...userIds: string[]): Promise<void> => {
    if (clock.now().getTime() - checkedAt < reliedUponMs) return;
    for (const userId of userIds) await requireBrand(db, who, userId, clock.now());
    checkedAt = clock.now().getTime();
  };
}

const lists = createFairTurns({ places: Number.POSITIVE_INFINITY, perOwner: 1 });
const maxWaiting = 20;

/**
 * For lists of all brands. A list that waits between two brands keeps everything that it has read in memory, so an owner
 * has one at a time, until the client has read it.
 */
export async function listBrandsInTurn<T>(ownerId: string, { raw }: FastifyReply, list: () => Promise<T>): Promise<T> {
  const refusal = () => new Problem('rate_limit_exceeded', { retryAfterSec: 1 });
  if (lists.waiting(ownerId) >= maxWaiting) throw refusal();
  const turn = (await lists.acquire(ownerId))!;
  const release = () => turn[Symbol.dispose]();
  try {
    // The client has left in the meantime.
    if (raw.closed) throw refusal();
    return await list();
  } finally {
    if (raw.closed) release();
    else raw.once('close', release);
  }
}

interface Wanted {
  now: Date;
  needs: Caller['needs'];
  /** One brand. Null: all of them. */
  only: string | null;
}

async function selectBrands(db: Db, ownerId: string, { now, needs, only }: Wanted): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users
    where (id = ${ownerId} or (parent_user_id = ${ownerId} and is_active
        and (held_at is null or hold_expires_at <= ${now})
        and (api_access or not ${needs.includes('api')}) and (mcp_access or not ${needs.includes('mcp')})))
      and (${only}::text is null or id = ${only})
    order by created_at, id`.execute(db);
  return rows.map(({ id }) => id);
}
