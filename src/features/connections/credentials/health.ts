import { effectiveExpiry, type TokenFacts, tokenStatus } from './token-status.ts';

export const connectionHealths = ['healthy', 'expiring', 'reconnect', 'restricted'] as const;
type Health = (typeof connectionHealths)[number];

/**
 * The health of a connection, for its user. Unlike `connectionStatus`, whose rules come from the contract, it also
 * covers accounts of networks that provide no dates.
 */
export function healthOf(facts: TokenFacts, now: Date, network: string): { health: Health; healthMessage: string } {
  const status = tokenStatus(facts, now);
  if (facts.reconnectRequiredAt && facts.accountRestricted) {
    return {
      health: 'restricted',
      healthMessage: `${network} has restricted this account. Sign in there to see why.`,
    };
  }
  if (facts.reconnectRequiredAt || status === 'expired') {
    return {
      health: 'reconnect',
      healthMessage: `${network} no longer accepts the connection. Reconnect the account.`,
    };
  }
  const end = effectiveExpiry(facts);
  if (status === 'expiring_soon' && end) {
    const healthMessage = `Access expires on ${longDate.format(end)}. Reconnect the account before then.`;
    return { health: 'expiring', healthMessage };
  }
  return { health: 'healthy', healthMessage: 'Ready to publish.' };
}

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
