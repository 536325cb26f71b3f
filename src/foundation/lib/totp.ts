import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Time-based one-time passwords (RFC 6238) as authenticator apps generate them: SHA-1, six digits, a new code every 30
 * s.
 */
const stepSeconds = 30;
/** Phone clocks drift and people type slowly, so the codes of the previous and next step are valid too. */
const stepsAround = [0, -1, 1];

export const totpStep = (now: Date): number => Math.floor(now.getTime() / 1000 / stepSeconds);

export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = hash.readUInt8(hash.length - 1) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** The step that this code belongs to, or null. Codes have six digits. */
export function matchingStep(secret: Buffer, code: string, now: Date): number | null {
  const current = totpStep(now);
  const isCodeOf = (step: number) => timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code));
  return stepsAround.map((around) => current + around).find(isCodeOf) ?? null;
}

/** The content of the QR code for an authenticator app. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const parameters = new URLSearchParams({ secret, issuer, algorithm: 'SHA1', digits: '6', period: `${stepSeconds}` });
  return `otpauth://totp/${label}?${parameters}`;
}
