import pg from 'pg';

/** Hears of changes in the database. While the connection is down, nothing is heard: `onGap` tells those who rely on it. */
export interface Listener {
  /** `heard` gets each notification's payload. */
  on(channel: string, heard: (payload: string) => void): void;
  /** Called when notifications may have been missed: the connection broke, or came back. */
  onGap(told: () => void): void;
  /** False while notifications are being missed. */
  readonly connected: boolean;
  close(): Promise<void>;
}

const reconnectAfterMs = 500;

/** One connection for all channels, reconnecting for as long as it takes. */
export async function openListener(url: string): Promise<Listener> {
  const channels = new Map<string, ((payload: string) => void)[]>();
  const gapListeners: (() => void)[] = [];
  let client: pg.Client | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let listening: Promise<unknown> = Promise.resolve();

  const tellGap = () => {
    for (const told of gapListeners) told();
  };

  async function connect() {
    const next = new pg.Client({ connectionString: url, application_name: 'crier-listen', keepAlive: true });
    next.on('notification', ({ channel, payload }) => {
      for (const heard of channels.get(channel) ?? []) heard(payload ?? '');
    });
    next.on('error', () => {});
    next.on('end', () => {
      if (client !== next) return;
      client = null;
      if (closed) return;
      tellGap();
      retry();
    });
    await next.connect();
    for (const channel of channels.keys()) await listen(next, channel);
    client = next;
  }

  function retry() {
    timer = setTimeout(() => connect().then(tellGap, retry), reconnectAfterMs);
  }

  await connect();
  return {
    on(channel, heard) {
      const known = channels.get(channel);
      channels.set(channel, [...(known ?? []), heard]);
      // One after the other: a connection runs one query at a time.
      if (!known) listening = listening.then(() => client && listen(client, channel)).catch(() => {});
    },
    onGap: (told) => void gapListeners.push(told),
    get connected() {
      return client !== null;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}

const listen = (client: pg.Client, channel: string) => client.query(`listen ${pg.escapeIdentifier(channel)}`);
