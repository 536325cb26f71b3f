import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { type Database, openDatabase } from './foundation/db/database.ts';
import { type Listener, openListener } from './foundation/db/listener.ts';
import type { ConnectOptions } from './foundation/egress/connect.ts';
import type { Egress } from './foundation/egress/egress.ts';
import { lazyEgress } from './foundation/egress/lazy-egress.ts';
import { idMaker, type NewId } from './foundation/lib/ids.ts';
import type { SealingKeys } from './foundation/lib/seal.ts';
import { watchWork } from './foundation/periodic/background-work.ts';
import { openStorage } from './foundation/storage/open-storage.ts';
import type { Storage } from './foundation/storage/storage.ts';
import { type Clock, systemClock } from './foundation/time/clock.ts';
import { tracedFetch } from './foundation/tracing/traced-fetch.ts';
import { connectables } from './platforms/index.ts';
import type { PlatformAccess } from './platforms/kit/http/client.ts';

/** Shared by the admin commands and the service. */
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
  /** Sends requests to URLs that a user can influence. */
  readonly egress: Egress;
  readonly platformAccess: PlatformAccess;
  /** The URL of the sandbox; null when the service uses the real platforms. */
  readonly sandboxUrl: string | null;
  /** The public URL of the service, without a trailing slash. */
  readonly publicUrl: string;
  close(): Promise<void>;
}

/** The running service. Use-cases take the part they need: `(app: Pick<App, 'db' | 'clock'>, …)`. */
export interface App extends Core {
  /** Identifies this process in the workers table, where it records its heartbeat if it publishes. */
  readonly workerId: string;
  readonly listener: Listener;
}

/** How to connect to the database. */
export interface DatabaseAccess {
  databaseUrl: string;
  /** For session-level work: LISTEN, locks, migrations. Differs behind a pooler. */
  directUrl?: string;
  keepsPreparedStatements?: boolean;
}

/** Values known only after the database and the sandbox have started. */
export interface RuntimeOptions extends DatabaseAccess {
  publicUrl: string;
  sandboxUrl: string | null;
  sealingKeys: SealingKeys;
  log: Logger;
  clock?: Clock;
  /** Tests use their own host names and certificates. */
  egress?: ConnectOptions;
}

/** How long a platform may take to respond to one request. */
const platformTimeoutMs = 60_000;

/** The composition root: the only place that knows all parts. */
export async function buildApp(config: Config, runtime: RuntimeOptions): Promise<App> {
  const core = buildCore(config, runtime);
  const listener = await openListener(runtime.directUrl ?? runtime.databaseUrl, watchWork(core, 'listener')).catch(
    async (error: unknown) => {
      await core.close();
      throw error;
    },
  );
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

/** Same, without background jobs, for the admin commands. */
export function buildCore(config: Config, runtime: RuntimeOptions): Core {
  const { publicUrl, sandboxUrl, sealingKeys, log, clock = systemClock } = runtime;
  const { db, pool, close } = openDatabase(runtime.databaseUrl, runtime);
  const egress = lazyEgress({ allow: config.egressAllow, ...runtime.egress });
  // Users can name the server for some platforms (Mastodon), so requests to platforms go through the egress guard.
  const toPlatforms = sandboxUrl ? toSandbox(sandboxUrl) : egress;
  return {
    config,
    db,
    pool,
    clock,
    newId: idMaker(clock),
    log,
    sealingKeys,
    storage: openStorage(config, { publicUrl, sealingKeys, clock }),
    egress,
    platformAccess: {
      fetch: tracedFetch(toPlatforms.fetch, hostFrom(sandboxUrl)),
      route: routeTo(sandboxUrl),
      timeoutMs: platformTimeoutMs,
      now: () => clock.now(),
      applications: sandboxUrl ? sandboxApplications : config.clients,
      options: config.platformOptions,
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
 * The sandbox is on this machine, which the egress guard does not allow. Node's own fetch holds a whole upload in
 * memory. Ours streams it, but takes 20 MB to load, so it is used only for uploads.
 */
function toSandbox(sandboxUrl: string): Pick<Egress, 'fetch' | 'close'> {
  const streaming = lazyEgress({ allow: [new URL(sandboxUrl).host] });
  const isUpload = (body: unknown) => body instanceof Blob || body instanceof FormData;
  return {
    fetch: (input, init) => (isUpload(init?.body) ? streaming.fetch(input, init) : globalThis.fetch(input, init)),
    close: streaming.close,
  };
}

/** The OAuth application that every platform in the sandbox accepts. */
export const sandboxApplications: PlatformAccess['applications'] = Object.fromEntries(
  Object.keys(connectables).map((id) => [id, { id: 'crier-sandbox', secret: 'crier-sandbox-secret-0123456789' }]),
);

/** The sandbox serves a platform's host under a path with the host's name. */
export function routeTo(sandboxUrl: string | null): PlatformAccess['route'] {
  if (sandboxUrl === null) return (url) => url;
  return (url) => new URL(`${sandboxUrl}/${url.host}${url.pathname}${url.search}`);
}

/** The host of a platform, even if the sandbox simulates it. */
function hostFrom(sandboxUrl: string | null): (url: URL) => string {
  return (url) => (sandboxUrl && url.href.startsWith(`${sandboxUrl}/`) ? url.pathname.split('/')[1]! : url.host);
}
