import { describe, expect, test } from 'vitest';
import type { Lifetime } from '../../../platforms/kit/index.ts';
import { healthOf } from './health.ts';
import { connectionStatus, type TokenFacts } from './token-status.ts';

const now = new Date('2027-03-04T05:06:07Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
const ending: Lifetime = { endsWith: 'access_token', refusedIsExpired: true };
const endless: Lifetime = { endsWith: 'nothing', refusedIsExpired: false };
const unknown: Lifetime = { endsWith: 'unknown', refusedIsExpired: false };

const facts = (more: Partial<TokenFacts>): TokenFacts => ({
  lifetime: endless,
  handle: 'ada',
  expiresAt: null,
  refreshExpiresAt: null,
  reconnectRequiredAt: null,
  accountRestricted: false,
  ...more,
});

describe('the health of a connection', () => {
  test.each([
    ['healthy', 'without an end', { lifetime: endless }],
    ['healthy', 'about whose end nothing is known', { lifetime: unknown }],
    ['healthy', 'that ends in eight days', { lifetime: ending, expiresAt: inDays(8) }],
    ['expiring', 'that ends in six days', { lifetime: ending, expiresAt: inDays(6) }],
    ['reconnect', 'that has ended', { lifetime: ending, expiresAt: inDays(-1) }],
    ['reconnect', 'that was refused', { lifetime: endless, reconnectRequiredAt: now }],
    ['restricted', 'of a suspended account', { reconnectRequiredAt: now, accountRestricted: true }],
  ] as const)('%s: one %s', (health, _what, more) => {
    expect(healthOf(facts(more), now, 'X').health).toBe(health);
  });

  test('says what to do, and by when', () => {
    const { healthMessage } = healthOf(facts({ lifetime: ending, expiresAt: inDays(6) }), now, 'LinkedIn');
    expect(healthMessage).toBe('Access expires on 10 March 2027. Reconnect the account before then.');
    expect(healthOf(facts({ reconnectRequiredAt: now }), now, 'X').healthMessage).toMatch(
      /^X .* Reconnect the account\.$/,
    );
  });

  test('[connection.connection-status] shows a refusal also where connectionStatus is active', () => {
    const refused = facts({ lifetime: unknown, reconnectRequiredAt: now });
    expect([connectionStatus(refused, now), healthOf(refused, now, 'Telegram').health]).toEqual([
      'active',
      'reconnect',
    ]);
  });
});
