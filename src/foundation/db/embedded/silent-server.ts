import pg from 'pg';
import { type ConnectionTo, connectionTo } from '../connection-to.ts';

/** After a statement has waited this long, check whether its session still exists. */
const suspiciousMs = 5_000;
const lookEveryMs = 2_000;
const probeMs = 2_000;
/** After this many consecutive checks without a response, consider the server gone. */
const maxSilences = 3;

/**
 * Destroys connections that can no longer receive a response because the server's machine lost power or the network
 * path is cut. Nothing closes such connections. TCP alone would notice after 15 minutes, but after a failover callers
 * must reach the new primary soon. A statement that is merely slow continues. Returns a function that stops watching.
 */
export function watchForSilence(pool: pg.Pool, url: string): () => void {
  const target = connectionTo(url);
  const waiting = new Map<pg.PoolClient, number>();
  let silences = 0;
  let looking = false;

  pool.on('connect', (client) => onStatement(client, waiting));
  pool.on('remove', (client) => waiting.delete(client));

  async function look() {
    const suspicious = [...waiting].filter(([, since]) => performance.now() - since > suspiciousMs);
    if (suspicious.length === 0 || looking) return;
    looking = true;
    const sessions = await sessionsAt(target);
    looking = false;
    silences = sessions === null ? silences + 1 : 0;
    for (const [client, since] of suspicious) {
      const isGone = sessions === null ? silences >= maxSilences : !sessions.has(sessionOf(client));
      if (isGone && waiting.get(client) === since) breakOff(client);
    }
  }
  const timer = setInterval(() => void look(), lookEveryMs).unref();
  return () => clearInterval(timer);
}

/** Records since when a connection has been waiting for the response to its statement. */
function onStatement(client: pg.PoolClient, waiting: Map<pg.PoolClient, number>) {
  const query: (...call: unknown[]) => unknown = client.query.bind(client);
  const noted = (...call: unknown[]) => {
    const answer = query(...call);
    if (!(answer instanceof Promise)) return answer;
    const since = performance.now();
    waiting.set(client, since);
    const ended = () => waiting.get(client) === since && waiting.delete(client);
    answer.then(ended, ended);
    return answer;
  };
  Object.assign(client, { query: noted });
}

/** The sessions of the server that a new connection reaches. Null if none responds. */
async function sessionsAt({ Client, connectionString }: ConnectionTo): Promise<Set<string> | null> {
  const client = new Client({
    connectionString,
    application_name: 'crier-probe',
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
    const found = new Set(rows.map(({ pid }) => `${client.host}:${client.port} ${pid}`));
    // A pooler assigns its own session numbers to clients.
    return found.has(sessionOf(client)) ? found : everySession;
  } catch (error) {
    // A server that refuses connections is alive: it is starting, stopping, or has too many connections.
    return error instanceof pg.DatabaseError ? everySession : null;
  } finally {
    client.end().catch(() => {});
  }
}

/** The sessions are unknown, so none counts as gone. */
const everySession: Set<string> = Object.assign(new Set<string>(), { has: () => true });

interface Session {
  host: string;
  port: number;
  processID: number | null;
  connection: { stream: { destroy(error: Error): void } };
}

const sessionOf = (client: pg.ClientBase) => {
  const { host, port, processID } = client as unknown as Session;
  return `${host}:${port} ${processID}`;
};

function breakOff(client: pg.PoolClient) {
  const { connection } = client as unknown as Session;
  connection.stream.destroy(new Error('The database server no longer responds on this connection.'));
}
