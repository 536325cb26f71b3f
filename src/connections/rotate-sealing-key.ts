import type { App } from '../app.ts';
import type { Db } from '../db/database.ts';
import { type SealingKeys, seal, unseal, webhookSecretContext } from '../lib/seal.ts';
import { sealingContext } from './connections.ts';
import {
  blockWriters,
  type LockMode,
  lockRotation,
  replaceCredentials,
  replaceSecrets,
  type SealedConnection,
  type SealedSecret,
  selectSealingKeyIds,
  selectSecretsToReseal,
  selectServicesRunning,
  selectToReseal,
  unlockRotation,
} from './rotation-queries.ts';

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

/** From sealing to storing, a process may have to wait for a free connection: 10 s, then it gives up (`openDatabase`). */
export const rotationGraceMs = 11_000;

/** The short ids of the keys that stored credentials need. */
export const sealingKeyIdsInUse = ({ db }: Pick<App, 'db'>) => selectSealingKeyIds(db);

/** Whether a Crier works on this database, from whatever machine. */
export const isServiceRunning = ({ db }: Pick<App, 'db'>) => selectServicesRunning(db);

/** One rotation at a time, and none while something is sealed under `sharing`. */
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

/** What is sealed, and how a row of it is opened and sealed anew. */
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

type InTransaction = (batch: (tx: Db) => Promise<void>) => Promise<void>;

async function resealAll(inTransaction: InTransaction, keys: SealingKeys): Promise<Resealed> {
  const connections = await resealKind(connectionKind, inTransaction, keys);
  const webhooks = await resealKind(webhookKind, inTransaction, keys);
  return {
    resealed: connections.resealed + webhooks.resealed,
    unreadable: connections.unreadable + webhooks.unreadable,
  };
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
