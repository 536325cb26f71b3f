import type { App } from '../../../app.ts';
import { webhookEvents } from '../../../foundation/events/catalogue.ts';
import { descriptions } from '../../../platforms/descriptions.ts';
import { platformFor } from '../../../platforms/index.ts';
import { countExpiring, type ExpiryRule, recordAnnounced, selectUnannounced } from './expiry-queries.ts';

const aheadMs = 7 * 86_400_000;
const connectionsPerRun = 1000;

/**
 * Emits `token.expiring` for credentials that expire within a week, once per expiry. Skips credentials that Crier
 * renews automatically, except those in `refused`, which the platform has just refused to renew.
 */
export async function announceExpiring(app: Pick<App, 'db' | 'clock' | 'newId'>, refused: readonly string[]) {
  const now = app.clock.now();
  const within = { after: now, until: new Date(now.getTime() + aheadMs), limit: connectionsPerRun };
  for (const connection of await selectUnannounced(app.db, expiryRules(), refused, within)) {
    const { platform, accountId, handle, endsAt } = connection;
    const event = webhookEvents.tokenExpiring.emit(
      { platform, platformId: `${platform}-${accountId}`, username: handle || null, expiresAt: endsAt.toISOString() },
      now,
    );
    await recordAnnounced(app.db, connection, { ...event, id: app.newId(), now });
  }
}

/** The number of connections of each platform that expire within a week and cannot be renewed by Crier. */
export async function expiringConnections({ db, clock }: Pick<App, 'db' | 'clock'>) {
  const now = clock.now();
  const rules = expiryRules().filter(({ isRenewed }) => !isRenewed);
  return countExpiring(db, rules, { after: now, until: new Date(now.getTime() + aheadMs) });
}

/** A refresh token cannot be renewed. If its expiry ends the connection, only the owner of the account can act. */
function expiryRules(): ExpiryRule[] {
  return descriptions.flatMap(({ id: platform, lifetime: { endsWith } }) => {
    if (endsWith === 'refresh_token') return { platform, endsWith, isRenewed: false };
    if (endsWith !== 'access_token') return [];
    return { platform, endsWith, isRenewed: platformFor(platform)?.connect.refresh !== undefined };
  });
}
