import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type App, buildApp } from './app.ts';
import { type Config, ConfigurationError, readConfig } from './config/config.ts';
import { DatabaseDownError, isDatabaseDown, type Retrying, retryWhileDown } from './foundation/db/database-down.ts';
import { lockDataDir } from './foundation/db/embedded/data-dir-lock.ts';
import { migrate, OtherVersionError } from './foundation/db/migrate.ts';
import type { Server } from './foundation/http/server.ts';
import { version } from './foundation/http/version.ts';
import { errorText } from './foundation/lib/error-text.ts';
import { followDatabaseClock } from './foundation/periodic/follow-database-clock.ts';
import { removeAbandonedFolders } from './foundation/system/temporary-folder.ts';
import { lowerPoolPriority } from './foundation/system/thread-priority.ts';
import { steadyClock } from './foundation/time/steady-clock.ts';
import { versionWarnings } from './platforms/kit/api-versions.ts';
import { banner, workerBanner } from './startup/banner.ts';
import { type Cleanup, cleanup } from './startup/cleanup.ts';
import { openConfiguredDatabase } from './startup/configured-database.ts';
import { builtDashboard } from './startup/dashboard-build.ts';
import { ensureDataDir } from './startup/data-dir.ts';
import { refuseExposedAddress } from './startup/exposed-address.ts';
import { firstCall } from './startup/first-call.ts';
import { freePort } from './startup/free-port.ts';
import { leaveSandbox } from './startup/leave-sandbox.ts';
import { liveChecklist } from './startup/live-checklist.ts';
import { localName } from './startup/local-name.ts';
import { openLog } from './startup/log.ts';
import { removeReadyFile, writeReadyFile } from './startup/ready-file.ts';
import { openSandbox } from './startup/sandbox-thread.ts';
import { sealingKeys } from './startup/sealing-keys.ts';
import { seedDemo } from './startup/seed-demo.ts';
import { StartError } from './startup/start-error.ts';
import { readiness, unmet } from './surfaces/health/health.ts';
import { buildHealthServer } from './surfaces/health/routes.ts';
import { buildServer } from './surfaces/server.ts';
import { startWorker } from './surfaces/worker.ts';

/** How long running requests and posts may continue after a signal and after the stop notice for load balancers. */
const drainMs = 10_000;

/** `npm start`. An error that the operator can fix is printed as a sentence, without a stack. */
export async function main() {
  try {
    await start(readConfig());
  } catch (error) {
    const sentence = sentenceFor(error);
    console.error(sentence === null ? error : `\n${sentence}\n`);
    process.exitCode = 1;
  }
}

/** Null for an error that only we can fix. */
function sentenceFor(error: unknown): string | null {
  if ([ConfigurationError, StartError, DatabaseDownError].some((kind) => error instanceof kind))
    return errorText(error);
  if (!isDatabaseDown(error)) return null;
  return `The database stopped responding during startup (${errorText(error)}). Start Crier again.`;
}

async function start(config: Config) {
  const log = await openLog(config.logLevel);
  const undo = cleanup();
  const stopping = new AbortController();
  const up = bringUp(config, log, undo, stopping.signal);
  stopOnSignal({ log, undo, up, stopping, limitMs: config.stopNoticeSeconds * 1000 + drainMs });
  try {
    await up;
  } catch (error) {
    await undo.run();
    throw error;
  }
}

/** Starts the data folder, the database, the sandbox and the service, in this order. `undo` stops them in reverse. */
async function bringUp(config: Config, log: Logger, undo: Cleanup, stopping: AbortSignal) {
  for (const sentence of config.unknownVariables) log.warn(sentence);
  await refuseExposedAddress(config);
  await ensureDataDir(config);
  const isApi = config.roles.includes('api');
  if (!isApi && !config.databaseUrl)
    throw new StartError(
      'ROLES=worker needs DATABASE_URL: with a separate database, the worker would have no posts to publish.',
    );
  if (isApi && config.port !== 0) await freePort(config.port, config.host, 'PORT');
  if (!isApi && config.metricsPort) await freePort(config.metricsPort, config.host, 'METRICS_PORT');
  // The first start builds it in parallel with the new database.
  const dashboard = isApi ? dashboardFolder(log) : null;

  const retrying = retryWhileDown(log, undo);
  const database = await openConfiguredDatabase(config, log, undo, retrying);
  const lock = await retrying(() => lockDataDir(database.directUrl, config.dataDir));
  if (!lock)
    throw new StartError(`Another Crier is running on ${config.dataDir}. Stop it, or set DATA_DIR to another folder.`);
  undo.push(() => lock.release());
  await retrying(() => migrate(database.directUrl)).catch((error: unknown) => {
    throw error instanceof OtherVersionError ? new StartError(error.message, { cause: error }) : error;
  });

  const sandbox = config.platformMode === 'sandbox' ? await openSandbox(config, log) : null;
  if (sandbox) undo.push(() => sandbox.stop());

  // Only after the database has chosen its own port.
  const port = isApi ? await freePort(config.port, config.host, 'PORT') : config.port;
  const publicUrl = config.publicUrl ?? `http://${await localName(config.host, port)}:${port}`;
  if (config.tracing) {
    const { openTracing } = await import('./foundation/tracing/open-tracing.ts');
    const tracing = openTracing({ ...config.tracing, version });
    undo.push(() => tracing.close());
  }
  const clock = steadyClock();
  const around = {
    ...database,
    clock,
    publicUrl,
    sandboxUrl: sandbox?.url ?? null,
    sealingKeys: sealingKeys(config.dataDir, config.secretKeys),
    log,
  };
  const app = await retrying(() => buildApp(config, around));
  undo.push(() => app.close());
  const following = await retrying(() => followDatabaseClock(app, clock));
  undo.push(() => following.stop());
  for (const sentence of versionWarnings(clock.now(), app.platformAccess.options)) log.warn(sentence);
  await removeAbandonedFolders();
  const storage = await app.storage.check();
  if (!storage.ok && storage.mistaken)
    throw new StartError(`Media cannot be stored: ${storage.detail}. Check STORAGE_URL, or DATA_DIR without it.`);

  if (!sandbox) {
    tellChecklist(app);
    await retrying(() => leaveSandbox(app));
  }
  await startRoles(app, { port, dashboard, sandboxOpened: sandbox?.opened, stopping, retrying }, undo);
  lowerPoolPriority();
  const demo = sandbox ? await retrying(() => seedDemo(app, sandbox.url)) : null;
  const baseUrl = `${publicUrl}/api/v1`;
  const ready = { pid: process.pid, url: publicUrl, baseUrl, sandboxUrl: sandbox?.url ?? null, demo };
  await untilReady(app, undo);
  await writeReadyFile(config.dataDir, ready);
  undo.push(() => removeReadyFile(config.dataDir));
  console.log(isApi ? `${banner(ready)}\n\n${await retrying(() => firstCall(app, ready))}\n` : workerBanner);
}

/** Missing configuration for the real networks does not prevent the start: an operator completes it step by step. */
function tellChecklist(app: App) {
  for (const { name, status, detail, todo } of liveChecklist(app)) {
    if (status === 'ok') app.log.info(`${name}: ${detail}`);
    else app.log.warn(`${name}: ${detail} ${todo}`);
  }
}

interface RoleOptions {
  port: number;
  /** Null: this process serves no pages, and at most its metrics. */
  dashboard: Promise<string | null> | null;
  /** Undefined: the real networks are used. */
  sandboxOpened: Promise<void> | undefined;
  /** Aborted when the process starts to shut down. */
  stopping: AbortSignal;
  retrying: Retrying;
}

/** The service is built while the sandbox opens. Nothing is published until the sandbox is open. */
async function startRoles(app: App, options: RoleOptions, undo: Cleanup) {
  const { roles, host, metricsPort, stopNoticeSeconds } = app.config;
  const { stopping, retrying } = options;
  const server = options.dashboard
    ? await buildServer(app, { dashboardFolder: await options.dashboard, stopping })
    : metricsPort !== null && (await buildHealthServer(app));
  await options.sandboxOpened;
  const worker = roles.includes('worker') ? await startWorker(app, retrying) : null;
  undo.push(async () => {
    // Closing the server breaks connections that wait to be accepted, and a load balancer may have used one.
    if (options.dashboard && stopping.aborted) await sleep(stopNoticeSeconds * 1000);
    await Promise.all([worker?.stop(drainMs), server && closeServer(server)]);
  });
  if (server) await server.listen({ port: options.dashboard ? options.port : (metricsPort ?? 0), host });
}

/** A client may never finish its request, so connections that are still open after a while are closed. */
async function closeServer(server: Pick<Server, 'close' | 'server'>) {
  const limit = setTimeout(() => server.server.closeAllConnections(), drainMs);
  await server.close();
  clearTimeout(limit);
}

/** Null if it cannot be built: the API works without it. */
async function dashboardFolder(log: Logger): Promise<string | null> {
  try {
    return await builtDashboard(
      () => log.info('building the dashboard; this happens once and takes a few seconds'),
      () => log.info('another process is building the dashboard; waiting for it'),
    );
  } catch (error) {
    log.error({ err: error }, 'the dashboard cannot be built; everything else still works');
    return null;
  }
}

const readinessPollMs = 50;
const quietPolls = 100;
const logAgainAfterMs = 30_000;

/** The start is reported once /readyz returns 200. If that takes long, the log shows what is missing. */
async function untilReady(app: App, undo: Cleanup) {
  for (let [polls, logged, loggedAt] = [0, '', 0]; ; polls += 1) {
    const { ready, checks } = await readiness(app);
    if (ready) {
      // An API process accepts posts without any worker, but someone has to start one.
      if (!checks.dispatcher.ok) app.log.warn(`posts are accepted, but ${checks.dispatcher.detail}`);
      return;
    }
    const missing = unmet(app.config.roles, checks);
    const names = missing.map(([name]) => name).join();
    const isNews = names !== logged || performance.now() - loggedAt > logAgainAfterMs;
    if (polls >= quietPolls && isNews) {
      app.log.warn({ missing: Object.fromEntries(missing) }, 'not ready yet');
      [logged, loggedAt] = [names, performance.now()];
    }
    await sleep(readinessPollMs);
    undo.throwIfCancelled();
  }
}

interface Stoppable {
  log: Logger;
  undo: Cleanup;
  up: Promise<void>;
  stopping: AbortController;
  limitMs: number;
}

function stopOnSignal({ log, undo, up, stopping, limitMs }: Stoppable) {
  let asked = 0;
  const stop = async (signal: string) => {
    asked += 1;
    // A second Ctrl-C means that the operator does not want to wait. npm immediately forwards the first one again.
    if (asked > 2) process.exit(1);
    if (asked > 1) return;
    console.log(`\n${signal}: finishing work in progress, ${limitMs / 1000} s at most …`);
    stopping.abort();
    setTimeout(() => process.exit(1), limitMs + 10_000).unref();
    // Anything that is still starting can be stopped only once it is up.
    undo.cancelStart();
    await up.catch(() => {});
    await undo.run();
    log.info('Crier has stopped');
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // The terminal was closed.
  process.on('SIGHUP', stop);
}
