import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { accountLimits } from '../../../foundation/errors/accounts.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import type { Grant } from '../../../platforms/kit/index.ts';
import { type Who, whoIs } from '../../auth/access/api-key.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { entitlementsOf, limitExceeded, lockPlan } from '../../users/quotas.ts';
import { storeGrant } from '../connections.ts';
import { countConnections, findByAccount } from '../queries.ts';
import { type Owner, requireLiveOwner } from './live-owner.ts';

/** Stores all grants or none. Stores none if they exceed the connections of the plan. */
export async function storeGrants(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys' | 'sandboxUrl'>,
  owner: Owner,
  platform: string,
  grants: readonly Grant<Json>[],
) {
  const { userId, actor } = owner;
  const store = async (tx: Db) => {
    await requireLiveOwner(app, tx, owner);
    // Read under the lock: the user may have joined a workspace just now.
    const who = await whoIs(tx, userId);
    await lockPlan(tx, who.ownerId);
    await requireRoom(tx, who, platform, grants);
    const stored = [];
    const inside = { ...app, db: tx as App['db'] };
    for (const grant of grants) stored.push(await storeGrant(inside, userId, platform, grant, actor));
    return stored;
  };
  return inLockTurn(owner.ownerId ?? userId, () => app.db.transaction().execute(store));
}

/** The plan may have no limit, but what reads all connections of a user or an owner needs one. */
async function requireRoom(tx: Db, who: Who, platform: string, grants: readonly Grant<Json>[]) {
  let requested = 0;
  for (const { account } of grants) {
    if (!(await findByAccount(tx, who.userId, platform, account.id))) requested += 1;
  }
  if (requested === 0) return;
  const { plan, connectionQuantity } = who;
  const { ofUser, ofOwner } = await countConnections(tx, who);
  const ofPlan = entitlementsOf(plan, connectionQuantity).connections ?? Number.POSITIVE_INFINITY;
  for (const { limit, used } of [
    { limit: Math.min(ofPlan, accountLimits.connectionsPerOwner), used: ofOwner },
    { limit: accountLimits.connectionsPerUser, used: ofUser },
  ]) {
    if (used + requested > limit) throw limitExceeded('CHANNEL_LIMIT_REACHED', { plan, limit, used, requested });
  }
}
