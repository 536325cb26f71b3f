import { Socket } from 'node:net';
import pg from 'pg';

/** One connection held for what it stands for, not for its queries: while idle it does not keep the process alive. */
export interface DedicatedConnection {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Called once, when the connection is gone for whatever reason. */
  onEnd(told: () => void): void;
  end(): Promise<void>;
}

export async function openDedicatedConnection(
  url: string,
  applicationName: string,
  connectLimitMs = 5_000,
): Promise<DedicatedConnection> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectLimitMs,
    keepAlive: true,
    stream: () => socket,
  });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.unref();
  let ended = false;
  client.once('end', () => {
    ended = true;
  });
  return {
    async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      socket.ref();
      try {
        return (await client.query<Row>(text, values)).rows;
      } finally {
        socket.unref();
      }
    },
    onEnd(told) {
      if (ended) told();
      else client.once('end', told);
    },
    async end() {
      socket.ref();
      // A server that hangs does not answer the goodbye.
      const timer = setTimeout(() => socket.destroy(), 2_000);
      await client.end().catch(() => {});
      clearTimeout(timer);
    },
  };
}
