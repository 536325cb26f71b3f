import { createHash, timingSafeEqual } from 'node:crypto';
import { ensureAccount } from './accounts.ts';
import { asText } from './fields.ts';
import type { Call } from './network.ts';
import type { Account } from './store/accounts.ts';

export { consentPage } from './pages/consent.ts';

/** What the person chose on the consent page, whose form comes back to the same address. */
export function readConsent(call: Call, spell = (handle: string) => handle): Account | 'denied' | 'invalid' {
  const { fields } = call.body;
  if (asText(fields.decision) !== 'allow') return 'denied';
  const chosen = asText(fields.account);
  const existing =
    chosen === '' || chosen === 'new' ? undefined : call.sandbox.store.accounts.find(call.network.id, chosen);
  if (existing) return existing;
  return ensureAccount(call.sandbox, call.network, spell(asText(fields.handle).trim()))?.account ?? 'invalid';
}

/** PKCE, S256. A code that was asked for without a challenge needs no verifier. */
export function codeVerifies(challenge: string | null, verifier: string): boolean {
  if (challenge === null) return true;
  const [expected, given] = [challenge, createHash('sha256').update(verifier).digest('base64url')].map((text) =>
    Buffer.from(text),
  );
  return (
    expected !== undefined &&
    given !== undefined &&
    expected.length === given.length &&
    timingSafeEqual(expected, given)
  );
}

/** The redirect back to the app, its own parameters kept; null ones are left out. */
export function withParameters(address: string, parameters: Record<string, string | null>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) url.searchParams.set(name, value);
  }
  return url.href;
}
