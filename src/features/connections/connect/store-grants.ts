import type { App } from '../../../app.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import type { Grant } from '../../../platforms/kit/index.ts';
import { whoIs } from '../../auth/access/api-key.ts';
import { entitlementsOf, limitExceeded, lockPlan, periodOf, readUsage } from '../../users/quotas.ts';
import { storeGrant } from '../connections.ts';
import { findByAccount } from '../queries.ts';
import { type Owner, requireLiveOwner } from './live-owner.ts';

/** Stores all grants or none. Stores none if they exceed the connections of the plan. */
export async function storeGrants(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'sealingKeys' | 'sandboxUrl'>,
  owner: Owner,
  platform: string,
  grants: readonly Grant<Json>[],
) {
  const { userId, actor } = owner;
  return app.db.transaction().execute(async (tx) => {
    await requireLiveOwner(app, tx, owner);
    // Read under the lock: the user may have joined a workspace just now.
    const who = await whoIs(tx, userId);
    const { connections: limit } = entitlementsOf(who.plan, who.connectionQuantity);
    await lockPlan(tx, who.ownerId);
    if (limit !== null) {
      let added = 0;
      for (const { account } of grants) {
        if (!(await findByAccount(tx, userId, platform, account.id))) added += 1;
      }
      const { connections: used } = await readUsage(tx, { ownerId: who.ownerId, period: periodOf(app.clock.now()) });
      if (added > 0 && used + added > limit) {
        throw limitExceeded('CHANNEL_LIMIT_REACHED', { plan: who.plan, limit, used, requested: added });
      }
    }
    const stored = [];
    const inside = { ...app, db: tx as App['db'] };
    for (const grant of grants) stored.push(await storeGrant(inside, userId, platform, grant, actor));
    return stored;
  });
}
