import { createHash, timingSafeEqual } from 'node:crypto';
import { ensureAccount } from '../accounts.ts';
import { asText } from '../http/coerce.ts';
import type { Call } from '../platform.ts';
import type { Account } from '../store/accounts.ts';

export { accountFields, consentPage, invalidHandlePage } from '../pages/consent.ts';

/** Reads the choice made on the consent page, whose form posts to the page's own address. */
export function readConsent(call: Call, spell = (handle: string) => handle): Account | 'denied' | 'invalid' {
  const { fields } = call.body;
  if (asText(fields.decision) !== 'allow') return 'denied';
  const chosen = asText(fields.account);
  const existing =
    chosen === '' || chosen === 'new' ? undefined : call.sandbox.store.accounts.find(call.platform.id, chosen);
  if (existing) return existing;
  return ensureAccount(call.sandbox, call.platform, spell(asText(fields.handle).trim()))?.account ?? 'invalid';
}

/** PKCE with S256. A code requested without a challenge needs no verifier. */
export function pkceMatches(challenge: string | null, verifier: string): boolean {
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

/** Adds parameters to an address and keeps its own. Null values are left out. */
export function withQuery(address: string, parameters: Record<string, string | null>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) url.searchParams.set(name, value);
  }
  return url.href;
}
