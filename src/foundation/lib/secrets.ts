import { createHash, randomBytes } from 'node:crypto';

/** The secret of a link, cookie or token that we issue: 256 random bits. Only its hash is stored. */
export const newSecret = () => randomBytes(32).toString('base64url');

/** The secret cannot be guessed, so a plain hash without salt protects it. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest();
