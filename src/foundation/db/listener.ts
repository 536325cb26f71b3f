import pg from 'pg';
import { connectionTo } from './connection-to.ts';

/** Receives notifications from the database. `onGap` is called when some may have been missed. */
export interface Listener {
  /** `callback` gets each notification's payload. */
  on(channel: string, callback: (payload: string) => void): void;
  /** Called when notifications may have been missed: the connection broke or came back, or a channel was added. */
  onGap(callback: () => void): void;
  /** False while notifications are being missed. */
  readonly connected: boolean;
  close(): Promise<void>;
}

const reconnectAfterMs = 500;
/** This connection may be idle for long, so only a query shows that the server is still there. */
const askEveryMs = 10_000;
const answerLimitMs = 5_000;

/** Called when the connection is lost, cannot be reopened, or is back. */
export interface ListenerHealth {
  failed(error: unknown): void;
  succeeded(): void;
}

/** Opens one connection for all channels and reconnects until closed. A pooler must not share that connection. */
export async function openListener(url: string, health: ListenerHealth): Promise<Listener> {
  const { Client, connectionString } = connectionTo(url);
  const channels = new Map<string, ((payload: string) => void)[]>();
  const gapListeners: (() => void)[] = [];
  let client: pg.Client | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let listening: Promise<unknown> = Promise.resolve();
  /** The number of channels whose notifications don't arrive yet. */
  let pending = 0;

  const reportGap = () => {
    for (const callback of gapListeners) callback();
  };

  async function connect() {
    const next = new Client({
      connectionString,
      application_name: 'crier-listen',
      keepAlive: true,
      connectionTimeoutMillis: answerLimitMs,
      query_timeout: answerLimitMs,
    });
    next.on('notification', ({ channel, payload }) => {
      for (const callback of channels.get(channel) ?? []) callback(payload ?? '');
    });
    next.on('error', () => {});
    next.on('end', () => {
      if (client !== next) return;
      client = null;
      if (closed) return;
      health.failed(new Error('The database connection for notifications was lost.'));
      reportGap();
      retry();
    });
    await next.connect();
    for (const channel of channels.keys()) await listen(next, channel);
    client = next;
    const asking = setInterval(() => next.query('select').catch(() => next.end()), askEveryMs).unref();
    next.once('end', () => clearInterval(asking));
  }

  function recovered() {
    health.succeeded();
    reportGap();
  }

  function failedAgain(error: unknown) {
    if (!closed) health.failed(error);
    retry();
  }

  function retry() {
    timer = setTimeout(() => connect().then(recovered, failedAgain), reconnectAfterMs);
  }

  await connect();
  return {
    on(channel, callback) {
      const known = channels.get(channel);
      channels.set(channel, [...(known ?? []), callback]);
      // The statements run one after another, because a connection runs one query at a time.
      if (known) return;
      pending += 1;
      listening = listening
        .then(() => client && listen(client, channel))
        .catch(() => {})
        .finally(() => {
          pending -= 1;
          // Notifications sent before this point were missed.
          if (pending === 0 && !closed) reportGap();
        });
    },
    onGap: (callback) => void gapListeners.push(callback),
    get connected() {
      return client !== null && pending === 0;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}

const listen = (client: pg.Client, channel: string) => client.query(`listen ${pg.escapeIdentifier(channel)}`);
