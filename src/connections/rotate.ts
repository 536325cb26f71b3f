import type { App } from '../app.ts';
import type { Db } from '../db/database.ts';
import { type SealingKeys, seal, unseal } from '../lib/seal.ts';
import { contextOf } from './connections.ts';
import {
  excludeWriters,
  lockRotation,
  replaceCredentials,
  type SealedConnection,
  selectSealingKeyIds,
  selectServicesRunning,
  selectToReseal,
  unlockRotation,
} from './queries.ts';

export interface Resealed {
  resealed: number;
  /** Sealed with a key that we do not have, or damaged: left as they are. */
  unreadable: number;
}

/** Seals with the current key what was sealed with an older one. Stopped at any point, the next run goes on from there. */
export async function resealCredentials({ db, sealingKeys }: Pick<App, 'db' | 'sealingKeys'>): Promise<Resealed> {
  return resealAll((batch) => db.transaction().execute(batch), sealingKeys);
}

/**
 * Tells which keys are still needed, once and for all: what a running process was sealing with an older key must be stored
 * by now (`settleMs`); here it is resealed too, and while `decide` runs nothing is added.
 */
export async function settleKeys<T>(
  { db, sealingKeys }: Pick<App, 'db' | 'sealingKeys'>,
  decide: (resealed: Resealed, idsInUse: readonly string[]) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await excludeWriters(tx);
    const resealed = await resealAll((batch) => batch(tx), sealingKeys);
    return decide(resealed, await selectSealingKeyIds(tx));
  });
}

/** From sealing to storing, a process may have to wait for a free connection: 10 s, then it gives up (`openDatabase`). */
export const settleMs = 11_000;

/** The short ids of the keys that stored credentials need. */
export const sealingKeyIdsInUse = ({ db }: Pick<App, 'db'>) => selectSealingKeyIds(db);

/** Whether a Crier works on this database, from whatever machine. */
export const isServiceRunning = ({ db }: Pick<App, 'db'>) => selectServicesRunning(db);

/** One rotation at a time, and none while something is sealed under `sharing`. */
export async function holdingRotation<T>(
  { db }: Pick<App, 'db'>,
  mode: 'alone' | 'sharing',
  run: () => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await lockRotation(connection, mode);
    try {
      return await run();
    } finally {
      await unlockRotation(connection, mode);
    }
  });
}

const batchSize = 500;

async function resealAll(
  inTransaction: (batch: (tx: Db) => Promise<void>) => Promise<void>,
  keys: SealingKeys,
): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: 0 };
  for (let after: string | null = ''; after !== null; ) {
    const start: string = after;
    await inTransaction(async (tx) => {
      const batch = await selectToReseal(tx, keys.current.id, start, batchSize);
      const fresh = batch.flatMap((connection) => reseal(connection, keys) ?? []);
      const replaced = await replaceCredentials(tx, fresh);
      total.resealed += replaced;
      total.unreadable += batch.length - fresh.length;
      after = batch.at(-1)?.id ?? null;
    });
  }
  return total;
}

function reseal({ id, credentials, ...place }: SealedConnection, keys: SealingKeys) {
  const context = contextOf(place.userId, place.platform, place.accountId);
  try {
    return { id, before: credentials, after: seal(unseal(credentials, context, keys), context, keys) };
  } catch {
    return null;
  }
}
