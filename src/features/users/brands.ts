import { sql } from 'kysely';
import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
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

/** For reads of one brand after the other, each in its turn: a brand may have left while the read waited. */
export function recheckBrands({ db, clock }: { db: Db; clock: Clock }, who: Caller): (userId: string) => Promise<void> {
  let checkedAt = clock.now().getTime();
  return async (userId) => {
    if (clock.now().getTime() - checkedAt < reliedUponMs) return;
    await requireBrand(db, who, userId, clock.now());
    checkedAt = clock.now().getTime();
  };
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
