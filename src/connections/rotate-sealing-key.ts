import type { App } from '../app.ts';
import type { Db } from '../db/database.ts';
import { type SealingKeys, seal, twoFactorContext, unseal, webhookSecretContext } from '../lib/seal.ts';
import { mailContext } from '../mail/mails.ts';
import { sealingContext } from './connections.ts';
import {
  blockWriters,
  type LockMode,
  lockRotation,
  replaceCredentials,
  replaceMailData,
  replaceSecrets,
  replaceTwoFactors,
  type SealedConnection,
  type SealedMail,
  type SealedSecret,
  selectMailsToReseal,
  selectSealingKeyIds,
  selectSecretsToReseal,
  selectServicesRunning,
  selectToReseal,
  selectTwoFactorsToReseal,
  unlockRotation,
} from './rotation-queries.ts';

export interface Resealed {
  resealed: number;
  /** Records that are damaged or were sealed with a key that we do not have. They are not changed. */
  unreadable: number;
}

/** Seals records of older keys with the current key. If it is interrupted, the next run continues from there. */
export async function resealCredentials({ db, sealingKeys }: Pick<App, 'db' | 'sealingKeys'>): Promise<Resealed> {
  return resealAll((batch) => db.transaction().execute(batch), sealingKeys);
}

/**
 * Finds out which keys are still in use. Call it `rotationGraceMs` after the new key is active: by then every record that a
 * running process sealed with an older key is stored. Those are resealed here, and no record is added while `decide` runs.
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

/** Between sealing and storing, a process may wait for a database connection, at most 10 s (see `openDatabase`). */
export const rotationGraceMs = 11_000;

/** The short ids of the keys with which stored records were sealed. */
export const sealingKeyIdsInUse = ({ db }: Pick<App, 'db'>) => selectSealingKeyIds(db);

/** Whether a Crier on any machine uses this database. */
export const isServiceRunning = ({ db }: Pick<App, 'db'>) => selectServicesRunning(db);

/** A rotation takes the lock in mode `exclusive`. Commands that seal records take it in mode `shared`. */
export async function withRotationLock<T>({ db }: Pick<App, 'db'>, mode: LockMode, run: () => Promise<T>): Promise<T> {
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

interface Sealed {
  id: string;
}
type Change = { id: string; before: string; after: string };

/** A kind of sealed record: how its rows are read and replaced, and how a row is decrypted. */
interface Kind<T extends Sealed> {
  select(tx: Db, keyId: string, after: string, limit: number): Promise<T[]>;
  replace(tx: Db, changes: readonly Change[]): Promise<number>;
  contentOf(row: T): { sealed: string; context: string };
}

const connectionKind: Kind<SealedConnection> = {
  select: selectToReseal,
  replace: replaceCredentials,
  contentOf: ({ credentials, userId, platform, accountId }) => ({
    sealed: credentials,
    context: sealingContext(userId, platform, accountId),
  }),
};
const webhookKind: Kind<SealedSecret> = {
  select: selectSecretsToReseal,
  replace: replaceSecrets,
  contentOf: ({ id, secret }) => ({ sealed: secret, context: webhookSecretContext(id) }),
};

const mailKind: Kind<SealedMail> = {
  select: selectMailsToReseal,
  replace: replaceMailData,
  contentOf: ({ id, data }) => ({ sealed: data, context: mailContext(id) }),
};

const twoFactorKind: Kind<SealedSecret> = {
  select: selectTwoFactorsToReseal,
  replace: replaceTwoFactors,
  contentOf: ({ id, secret }) => ({ sealed: secret, context: twoFactorContext(id) }),
};

type InTransaction = (batch: (tx: Db) => Promise<void>) => Promise<void>;

async function resealAll(inTransaction: InTransaction, keys: SealingKeys): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: 0 };
  const reseals = [
    () => resealKind(connectionKind, inTransaction, keys),
    () => resealKind(webhookKind, inTransaction, keys),
    () => resealKind(mailKind, inTransaction, keys),
    () => resealKind(twoFactorKind, inTransaction, keys),
  ];
  for (const reseal of reseals) {
    const { resealed, unreadable } = await reseal();
    total.resealed += resealed;
    total.unreadable += unreadable;
  }
  return total;
}

async function resealKind<T extends Sealed>(kind: Kind<T>, inTransaction: InTransaction, keys: SealingKeys) {
  const total: Resealed = { resealed: 0, unreadable: 0 };
  for (let after: string | null = ''; after !== null; ) {
    const start: string = after;
    await inTransaction(async (tx) => {
      const batch = await kind.select(tx, keys.current.id, start, batchSize);
      const fresh = batch.flatMap((row) => reseal(row.id, kind.contentOf(row), keys) ?? []);
      total.resealed += await kind.replace(tx, fresh);
      total.unreadable += batch.length - fresh.length;
      after = batch.at(-1)?.id ?? null;
    });
  }
  return total;
}

function reseal(
  id: string,
  { sealed, context }: { sealed: string; context: string },
  keys: SealingKeys,
): Change | null {
  try {
    return { id, before: sealed, after: seal(unseal(sealed, context, keys), context, keys) };
  } catch {
    return null;
  }
}
