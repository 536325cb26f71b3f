import type { Lifetime } from '../../../platforms/kit/index.ts';

export type TokenStatus = 'valid' | 'expiring_soon' | 'expired' | 'unknown';

export interface TokenFacts {
  lifetime: Lifetime;
  handle: string;
  expiresAt: Date | null;
  refreshExpiresAt: Date | null;
  reconnectRequiredAt: Date | null;
  accountRestricted: boolean;
}

const dayMs = 86_400_000;
const soonMs = { access_token: 7 * dayMs, refresh_token: 30 * dayMs };

/**
 * The expiry that matters to the owner, because the account must be reconnected then
 * (contract.md#connection.expires-at).
 */
export function effectiveExpiry({ lifetime, expiresAt, refreshExpiresAt }: TokenFacts): Date | null {
  if (lifetime.endsWith === 'refresh_token') return refreshExpiresAt;
  return lifetime.endsWith === 'access_token' ? expiresAt : null;
}

export function tokenStatus(facts: TokenFacts, now: Date): TokenStatus {
  const { endsWith, refusedIsExpired } = facts.lifetime;
  // A suspended account does not imply expired credentials.
  if (refusedIsExpired && facts.reconnectRequiredAt && !facts.accountRestricted) return 'expired';
  if (endsWith === 'unknown') return 'unknown';
  if (endsWith === 'nothing') return facts.handle === '' ? 'unknown' : 'valid';
  const left = (effectiveExpiry(facts)?.getTime() ?? Number.NaN) - now.getTime();
  if (Number.isNaN(left)) return 'unknown';
  if (left <= 0) return 'expired';
  return left < soonMs[endsWith] ? 'expiring_soon' : 'valid';
}

/**
 * Whether publishing can work now, based on stored data. Always true if nothing is known about the token
 * (contract.md#connection.connection-status).
 */
export function connectionStatus(facts: TokenFacts, now: Date): 'active' | 'reconnect_required' {
  if (facts.lifetime.endsWith === 'unknown') return 'active';
  return facts.reconnectRequiredAt || tokenStatus(facts, now) === 'expired' ? 'reconnect_required' : 'active';
}

/** `7d 3h`, `5h`, `< 1h` or `expired`. Null without a date. */
export function tokenExpiresIn(facts: TokenFacts, now: Date): string | null {
  if (tokenStatus(facts, now) === 'expired') return 'expired';
  const end = effectiveExpiry(facts);
  if (!end) return null;
  const hours = Math.floor((end.getTime() - now.getTime()) / 3_600_000);
  if (hours < 1) return '< 1h';
  const days = Math.floor(hours / 24);
  return days > 0 ? `${days}d ${hours % 24}h` : `${hours}h`;
}
