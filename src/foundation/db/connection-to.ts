import pg from 'pg';
import { parseDatabaseUrl } from '../lib/database-url.ts';

/** The `pg` options for connecting to a database. */
export interface ConnectionTo {
  connectionString: string;
  Client: new (config?: pg.ClientConfig) => pg.Client;
}

/** If the URL lists several servers, each new connection goes to the one that accepts writes. */
export function connectionTo(url: string): ConnectionTo {
  const address = parseDatabaseUrl(url);
  // The code that connects reports an invalid URL.
  if (typeof address === 'string') return { connectionString: url, Client: pg.Client };
  const { urls, mustTakeWrites } = address;
  if (!mustTakeWrites) return { connectionString: urls[0], Client: pg.Client };
  return { connectionString: urls[0], Client: primaryClient(primaryOf(urls)) };
}

/** None of the servers in the URL is usable at the moment. */
export class NoPrimaryError extends Error {
  override name = 'NoPrimaryError';
}

interface Place {
  host: string;
  port: number;
}

function primaryClient(find: () => Promise<Place>): ConnectionTo['Client'] {
  return class PrimaryClient extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error | null) => void): void;
    override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | undefined {
      const connected = this.#connectToPrimary();
      if (!callback) return connected;
      connected.then(
        () => callback(null),
        (error: Error) => callback(error),
      );
      return undefined;
    }

    async #connectToPrimary(): Promise<pg.Client> {
      Object.assign(this, await find());
      await super.connect();
      return this;
    }
  };
}

/** How long a server may take to report whether it accepts writes. A machine that is switched off never replies. */
const probeMs = 2_000;

/**
 * Finds the server that accepts writes, starting with the last known primary. The result is never cached: a connection
 * opened after a failover must not go to the old primary. Concurrent callers share a search.
 */
function primaryOf(urls: readonly string[]): () => Promise<Place> {
  let known = 0;
  let running: Promise<Place> | null = null;
  async function search(): Promise<Place> {
    const reasons: string[] = [];
    for (const [tried, index] of [known, ...urls.keys().filter((one) => one !== known)].entries()) {
      const found = await probe(urls[index]!);
      if (found.reason === null) {
        known = index;
        return found.place;
      }
      reasons[tried] = `${found.place.host}:${found.place.port} ${found.reason}`;
    }
    throw new NoPrimaryError(`No server accepts writes (${reasons.join('; ')})`);
  }
  return () => {
    running ??= search().finally(() => {
      running = null;
    });
    return running;
  };
}

/** `reason` says why the server cannot be used. */
async function probe(url: string): Promise<{ place: Place; reason: string | null }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'crier-probe',
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  });
  client.on('error', () => {});
  const place = { host: client.host, port: client.port };
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    return { place, reason: rows[0]?.transaction_read_only === 'off' ? null : 'is read-only' };
  } catch (error) {
    return { place, reason: `does not respond: ${(error as Error).message}` };
  } finally {
    // Don't wait for a server that does not respond.
    client.end().catch(() => {});
  }
}
