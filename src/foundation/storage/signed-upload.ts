import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { SealingKey, SealingKeys } from '../lib/seal.ts';

/** The request that an upload URL allows. */
export interface Upload {
  readonly address: string;
  readonly contentType: string;
  readonly expiresAt: Date;
}

/** Adds a signature to the URL. Only this service can verify it, and nothing is stored. */
export function signUpload({ address, contentType, expiresAt }: Upload, keys: SealingKeys): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1000));
  const signature = sign(address, contentType, expires, keys.current).toString('base64url');
  return `${address}?${new URLSearchParams({ contentType, expires, signature })}`;
}

export function admitUpload(
  address: string,
  query: URLSearchParams,
  now: Date,
  keys: SealingKeys,
): { contentType: string } | { refusal: string } {
  const [contentType, expires, signature] = ['contentType', 'expires', 'signature'].map(
    (name) => query.get(name) ?? '',
  );
  const given = Buffer.from(signature!, 'base64url');
  const known = [keys.current, ...keys.previous].some((key) => {
    const expected = sign(address, contentType!, expires!, key);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!known) return { refusal: 'This is not an upload URL of this service: use the URL exactly as you received it' };
  if (now.getTime() > Number(expires) * 1000) {
    return {
      refusal: `This upload URL expired at ${new Date(Number(expires) * 1000).toISOString()}: request a new one`,
    };
  }
  return { contentType: contentType! };
}

/** Uses a separate derived key, so that nothing sealed or signed elsewhere is valid as an upload URL. */
function sign(address: string, contentType: string, expires: string, { secret }: SealingKey): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'crier: address to upload media to', 32));
  return createHmac('sha256', key)
    .update(JSON.stringify([address, contentType, expires]))
    .digest();
}
