import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { type Listener, openListener } from './db/listener.ts';
import type { ConnectOptions } from './egress/connect.ts';
import type { Egress } from './egress/egress.ts';
import { lazyEgress } from './egress/lazy-egress.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { idMaker, type NewId } from './lib/ids.ts';
import type { SealingKeys } from './lib/seal.ts';
import { openStorage } from './media/storage/open-storage.ts';
import type { Storage } from './media/storage/storage.ts';
import { connectables } from './platforms/index.ts';
import type { PlatformAccess } from './platforms/kit/client.ts';

/** What commands and services alike are made of. */
export interface Core {
  readonly config: Config;
  readonly db: Database['db'];
  readonly pool: Database['pool'];
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
  readonly sealingKeys: SealingKeys;
  /** Where media files are kept. */
  readonly storage: Storage;
  /** The way to every address that a user can influence. */
  readonly egress: Egress;
  readonly platformAccess: PlatformAccess;
  /** Where the sandbox is; null when we talk to the real networks. */
  readonly sandboxUrl: string | null;
  /** How people reach us, without a slash at the end. */
  readonly publicUrl: string;
  close(): Promise<void>;
}

/** The running service. Use-cases take the part they need: `(app: Pick<App, 'db' | 'clock'>, …)`. */
export interface App extends Core {
  /** Of this process, in the table of workers: should it publish, it gives its signs of life under this name. */
  readonly workerId: string;
  readonly listener: Listener;
}

/** What is known only once the servers around us run. */
export interface Surroundings {
  databaseUrl: string;
  publicUrl: string;
  sandboxUrl: string | null;
  sealingKeys: SealingKeys;
  log: Logger;
  clock?: Clock;
  /** Tests have names and certificates of their own. */
  egress?: ConnectOptions;
}

/** How long a network may take to answer one request. */
const platformTimeoutMs = 60_000;

/** The composition root: the one place that knows all parts. */
export async function buildApp(config: Config, around: Surroundings): Promise<App> {
  const core = buildCore(config, around);
  const listener = await openListener(around.databaseUrl);
  return {
    ...core,
    workerId: core.newId(),
    listener,
    async close() {
      await listener.close();
      await core.close();
    },
  };
}

/** The same without background machinery: enough for the admin command. */
export function buildCore(config: Config, around: Surroundings): Core {
  const { databaseUrl, publicUrl, sandboxUrl, sealingKeys, log, clock = systemClock } = around;
  const { db, pool, close } = openDatabase(databaseUrl);
  const egress = lazyEgress({ allow: config.egressAllow, ...around.egress });
  // The real networks may be where a user says they are.
  const toPlatforms = sandboxUrl ? toSandbox(sandboxUrl) : egress;
  return {
    config,
    db,
    pool,
    clock,
    newId: idMaker(clock),
    log,
    sealingKeys,
    storage: openStorage(config, { publicUrl, sealingKeys, clock, log }),
    egress,
    platformAccess: {
      fetch: toPlatforms.fetch,
      route: routeTo(sandboxUrl),
      timeoutMs: platformTimeoutMs,
      now: () => clock.now(),
      applications: sandboxUrl ? sandboxApplications : config.clients,
    },
    sandboxUrl,
    publicUrl,
    async close() {
      await Promise.all([egress.close(), toPlatforms.close()]);
      await close();
    },
  };
}

/**
 * The sandbox is on this machine, where the guard lets nobody go. Node's own fetch holds a whole upload in memory, and ours,
 * which streams it, takes 20 MB to load: each does what it is good at.
 */
function toSandbox(sandboxUrl: string): Pick<Egress, 'fetch' | 'close'> {
  const streaming = lazyEgress({ allow: [new URL(sandboxUrl).host] });
  const isUpload = (body: unknown) => body instanceof Blob || body instanceof FormData;
  return {
    fetch: (input, init) => (isUpload(init?.body) ? streaming.fetch(input, init) : globalThis.fetch(input, init)),
    close: streaming.close,
  };
}

/** The one application that each network of the sandbox knows. */
export const sandboxApplications: PlatformAccess['applications'] = Object.fromEntries(
  Object.keys(connectables).map((id) => [id, { id: 'crier-sandbox', secret: 'crier-sandbox-secret-0123456789' }]),
);

/** The sandbox answers for a network's host under a folder of that name. */
export function routeTo(sandboxUrl: string | null): PlatformAccess['route'] {
  if (sandboxUrl === null) return (url) => url;
  return (url) => new URL(`${sandboxUrl}/${url.host}${url.pathname}${url.search}`);
}
