import { Socket } from 'node:net';
import type pg from 'pg';
import { connectionTo } from './connection-to.ts';

/**
 * A connection outside the pool, for locks that last as long as the connection. While idle, it does not keep the
 * process alive.
 */
export interface DedicatedConnection {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The callback runs once, when the connection ends for any reason. */
  onEnd(callback: () => void): void;
  end(): Promise<void>;
}

export async function openDedicatedConnection(
  url: string,
  applicationName: string,
  { connectLimitMs = 5_000, answerLimitMs }: { connectLimitMs?: number; answerLimitMs?: number } = {},
): Promise<DedicatedConnection> {
  const socket = new Socket();
  const { Client, connectionString } = connectionTo(url);
  const client = new Client({
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: connectLimitMs,
    ...(answerLimitMs && { query_timeout: answerLimitMs }),
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
    onEnd(callback) {
      if (ended) callback();
      else client.once('end', callback);
    },
    async end() {
      socket.ref();
      // A hung server does not respond to the termination message.
      const timer = setTimeout(() => socket.destroy(), 2_000);
      await client.end().catch(() => {});
      clearTimeout(timer);
    },
  };
}
