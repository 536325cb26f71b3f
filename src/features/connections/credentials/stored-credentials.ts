import { LRUCache } from 'lru-cache';
import type { App } from '../../../app.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { unseal } from '../../../foundation/lib/seal.ts';
import { messages, type Platform, PlatformError } from '../../../platforms/kit/index.ts';
import type { StoredConnection } from '../queries.ts';

/** Decryption is slow, and a burst of posts uses the same credentials many times. */
const openedCredentials = new LRUCache<string, Record<string, unknown>>({ max: 1_000 });

export function credentialsOf(app: Pick<App, 'sealingKeys'>, platform: Platform, connection: StoredConnection) {
  const { userId, accountId, credentials } = connection;
  const key = `${sealingContext(userId, platform.id, accountId)} ${credentials}`;
  const cached = openedCredentials.get(key);
  if (cached) return cached;
  try {
    const opened = Object.freeze(platform.credentials.parse(openCredentials(app, connection)));
    openedCredentials.set(key, opened);
    return opened;
  } catch (cause) {
    throw new UnreadableCredentials(cause);
  }
}

export class UnreadableCredentials extends PlatformError {
  constructor(cause: unknown) {
    super('auth', 'Crier cannot read the stored credentials of this account. Reconnect it.', { cause });
  }
}

/** Decrypts the credentials. Throws if they were sealed with an unknown key or for another account. */
export function openCredentials(
  { sealingKeys }: Pick<App, 'sealingKeys'>,
  connection: Pick<StoredConnection, 'userId' | 'platform' | 'accountId' | 'credentials'>,
): Json {
  const { userId, platform, accountId, credentials } = connection;
  return JSON.parse(unseal(credentials, sealingContext(userId, platform, accountId), sealingKeys));
}

/** More than two of the longest tokens. Sealed, they fit into the column. */
const maxCredentialBytes = 24_000;

/** The platform, or a server that anyone can run, decides how long they are. */
export function requireShort(credentials: Json, name: string): void {
  const bytes = Buffer.byteLength(JSON.stringify(credentials));
  if (bytes <= maxCredentialBytes) return;
  const reason = `The credentials have ${bytes} bytes. At most ${maxCredentialBytes} can be stored.`;
  throw new PlatformError('unavailable', messages.unreadable(name), { reason });
}

/** Binds sealed credentials to their account: copied to another row, they cannot be decrypted. */
export const sealingContext = (userId: string, platform: string, accountId: string) =>
  `connection ${userId} ${platform} ${accountId}`;
