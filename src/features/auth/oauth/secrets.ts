import { createHash, randomBytes } from 'node:crypto';

/** Secrets that we give out are random, so a plain hash protects them. Only the hash is stored. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest();

export const newSecret = () => randomBytes(32).toString('base64url');
