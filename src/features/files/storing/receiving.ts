import type { App } from '../../../app.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { withinQuotas } from '../../users/within-quotas.ts';
import { endReceiving, findHolder, startReceiving } from '../queries.ts';

/** An upload that counts towards the storage quota from its first byte. */
export interface Receiving {
  /** Counts the stored bytes instead of the announced ones. Returns false if the record was deleted in the meantime. */
  end(): Promise<boolean>;
}

/**
 * Null if the record was deleted or no longer expects a file, or if its user or the owner is deactivated. Throws if a
 * file of this size exceeds the quota.
 */
export async function receive(
  { db, storage }: Pick<App, 'db' | 'storage'>,
  key: string,
  bytes: number,
): Promise<Receiving | null> {
  const userId = await findHolder(db, key);
  const isStarted =
    userId !== null &&
    (await inLockTurn(userId, () => withinQuotas(db, userId, (tx) => startReceiving(tx, key, bytes))));
  if (!isStarted) return null;
  return { end: async () => endReceiving(db, key, bytes, (await storage.stat(key))?.bytes ?? 0) };
}
