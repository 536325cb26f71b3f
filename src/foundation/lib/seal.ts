import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The current key seals. Previous keys still open records, so that keys can be rotated. */
export interface SealingKeys {
  readonly current: SealingKey;
  readonly previous: readonly SealingKey[];
}
export interface SealingKey {
  readonly id: string;
  readonly secret: Buffer;
}

/** Reads a key from 64 hex digits. Its id is a fingerprint of the key, so all machines derive the same id. */
export function sealingKey(hex: string): SealingKey {
  const secret = Buffer.from(hex, 'hex');
  if (secret.length !== 32) throw new Error('A sealing key is 32 bytes, written as 64 hex digits.');
  return { id: createHash('sha256').update(secret).digest('hex').slice(0, 8), secret };
}

/** AES-256-GCM as `v1.<key id>.<nonce>.<tag>.<ciphertext>`. `context` binds the record to its row, so a copy in another row does not open. */
export function seal(plain: string, context: string, keys: SealingKeys): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keys.current.secret, nonce).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return ['v1', keys.current.id, ...[nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url'))].join(
    '.',
  );
}

export function unseal(sealed: string, context: string, keys: SealingKeys): string {
  const [version, keyId, nonce, tag, text] = sealed.split('.');
  if (version !== 'v1' || !keyId || !nonce || !tag || text === undefined) throw new Error('Not a sealed record.');
  const key = [keys.current, ...keys.previous].find(({ id }) => id === keyId);
  if (!key) throw new Error(`Sealed with key ${keyId}, which this service does not have. Set SECRET_KEY to that key.`);
  const decipher = createDecipheriv('aes-256-gcm', key.secret, Buffer.from(nonce, 'base64url'));
  decipher.setAAD(Buffer.from(context)).setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
}

/** The context of a webhook's sealed secret. */
export const webhookSecretContext = (id: string) => `webhook secret ${id}`;

/** The context of the sealed secret that a user shares with an authenticator app. */
export const twoFactorContext = (userId: string) => `two-factor secret ${userId}`;
