import { createHash, randomBytes } from 'node:crypto';

/** The secret part of a link that works once. Only its hash is stored. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** A token has 256 random bits, so a plain hash without salt cannot be reversed. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest();
