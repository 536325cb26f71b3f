import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import {
  type SealingKeys,
  seal,
  twoFactorContext,
  unseal,
  webhookSecretContext,
} from '../../../foundation/lib/seal.ts';
import { mailContext } from '../../mail/mails.ts';
import {
  blockWriters,
  type LockMode,
  lockRotation,
  type Resealing,
  replaceSealed,
  type SealedRecord,
  type SealedTable,
  sealedTables,
  selectSealingKeyIds,
  selectServicesRunning,
  selectToReseal,
} from './rotation-queries.ts';
import { sealingContext } from './stored-credentials.ts';

export interface Resealed {
  resealed: number;
  /** Records that are damaged or were sealed with an unknown key. They stay unchanged. */
  unreadable: number;
}

/** Reseals records of older keys with the current key. If it is interrupted, the next run continues from there. */
export async function resealCredentials({ db, sealingKeys }: Pick<App, 'db' | 'sealingKeys'>): Promise<Resealed> {
  return resealAll((batch) => db.transaction().execute(batch), sealingKeys);
}

/**
 * Finds out which keys are still in use. Call it `rotationGraceMs` after the new key became active: by then, every
 * record that a running process sealed with an older key is stored. Reseals those records, and blocks new ones while
 * `decide` runs.
 */
export async function finishRotation<T>(
  { db, sealingKeys }: Pick<App, 'db' | 'sealingKeys'>,
  decide: (resealed: Resealed, idsInUse: readonly string[]) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await blockWriters(tx);
    const resealed = await resealAll((batch) => batch(tx), sealingKeys);
    return decide(resealed, await selectSealingKeyIds(tx));
  });
}

/** Between sealing and storing, a process may wait for a database connection for at most 10 s (see `openDatabase`). */
export const rotationGraceMs = 11_000;

/** The short ids of the keys that sealed the stored records. */
export const sealingKeyIdsInUse = ({ db }: Pick<App, 'db'>) => selectSealingKeyIds(db);

/** Whether a Crier instance on any machine is using this database. */
export const isServiceRunning = ({ db }: Pick<App, 'db'>) => selectServicesRunning(db);

/** A rotation takes the lock in mode `exclusive`. Commands that seal records take it in mode `shared`. */
export async function withRotationLock<T>({ db }: Pick<App, 'db'>, mode: LockMode, run: () => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await lockRotation(tx, mode);
    return run();
  });
}

const batchSize = 500;

/** The sealing context of a record, from the values that bind it to its row. */
const contexts: Record<SealedTable, (...boundTo: string[]) => string> = {
  connections: sealingContext,
  webhooks: webhookSecretContext,
  mails: mailContext,
  two_factors: twoFactorContext,
};

type InTransaction = (batch: (tx: Db) => Promise<void>) => Promise<void>;

async function resealAll(inTransaction: InTransaction, keys: SealingKeys): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: 0 };
  for (const table of Object.keys(sealedTables) as SealedTable[]) {
    const { resealed, unreadable } = await resealTable(table, inTransaction, keys);
    total.resealed += resealed;
    total.unreadable += unreadable;
  }
  return total;
}

async function resealTable(table: SealedTable, inTransaction: InTransaction, keys: SealingKeys): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: 0 };
  for (let after: string | null = ''; after !== null; ) {
    const start: string = after;
    await inTransaction(async (tx) => {
      const batch = await selectToReseal(tx, table, keys.current.id, start, batchSize);
      const fresh = batch.flatMap((record) => reseal(record, contexts[table](...record.boundTo), keys) ?? []);
      total.resealed += await replaceSealed(tx, table, fresh);
      total.unreadable += batch.length - fresh.length;
      after = batch.at(-1)?.id ?? null;
    });
  }
  return total;
}

function reseal({ id, sealed }: SealedRecord, context: string, keys: SealingKeys): Resealing | null {
  try {
    return { id, before: sealed, after: seal(unseal(sealed, context, keys), context, keys) };
  } catch {
    return null;
  }
}
