import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DedicatedConnection, openDedicatedConnection } from '../dedicated-connection.ts';
import { setSession } from '../session-settings.ts';

export interface DataDirLock {
  release(): Promise<void>;
}

/** The backend of a Crier process that was just killed holds its lock for a few more milliseconds. */
const graceMs = 2_000;
const retryMs = 100;
const reconnectMs = 500;
/** A server whose machine lost power does not close connections, and this connection is otherwise idle. */
const askEveryMs = 10_000;
const answerLimitMs = 5_000;

/**
 * Prevents a second Crier on the same data folder. Null: another Crier holds the lock. The lock belongs to a
 * connection, so it ends with the process, however the process ends. It is reacquired after a restart or failover of
 * the database.
 */
export async function lockDataDir(url: string, dataDir: string): Promise<DataDirLock | null> {
  const key = lockKey(dataDir);
  let connection = await take(url, key);
  for (let waited = 0; connection === null; waited += retryMs) {
    if (waited >= graceMs) return null;
    await sleep(retryMs);
    connection = await take(url, key);
  }
  let current: DedicatedConnection | null = null;
  let released = false;
  hold(connection);

  function hold(taken: DedicatedConnection) {
    current = taken;
    const asking = setInterval(() => taken.query('select').catch(() => taken.end()), askEveryMs).unref();
    taken.onEnd(async () => {
      clearInterval(asking);
      current = null;
      while (!released && current === null) {
        await sleep(reconnectMs, undefined, { ref: false });
        const again = released ? null : await take(url, key).catch(() => null);
        if (again && released) await again.end();
        else if (again) hold(again);
      }
    });
  }

  return {
    async release() {
      released = true;
      await current?.end();
    },
  };
}

async function take(url: string, key: string): Promise<DedicatedConnection | null> {
  const connection = await openDedicatedConnection(url, 'crier-lock', { answerLimitMs });
  try {
    await connection.query(setSession);
    const [tried] = await connection.query<{ locked: boolean }>('select pg_try_advisory_lock($1::bigint) locked', [
      key,
    ]);
    if (tried?.locked) return connection;
  } catch (error) {
    await connection.end();
    throw error;
  }
  await connection.end();
  return null;
}

function lockKey(dataDir: string): string {
  const digest = createHash('sha256')
    .update(`${hostname()}\0${resolve(dataDir)}`)
    .digest();
  return digest.readBigInt64BE().toString();
}
