import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, register } from 'prom-client';
import type { App } from '../../app.ts';
import type { Server } from '../../foundation/http/server.ts';
import { version } from '../../foundation/http/version.ts';
import { runningLoops } from '../../foundation/periodic/background-work.ts';
import { versionWarnings } from '../../platforms/kit/api-versions.ts';
import { diskSpace } from './disk-space.ts';
import { measureEventLoop } from './event-loop.ts';
import { selectBacklog, selectBrokenConnections, workState } from './queries.ts';
import { storageHealth } from './storage-health.ts';

// Ours measure the event loop. Those of the library would wake it a hundred times a second.
collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 60_000 });
for (const figure of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']) {
  register.removeSingleMetric(`nodejs_eventloop_lag_${figure}_seconds`);
}
measureEventLoop();

const requests = new Counter({
  name: 'crier_http_requests_total',
  help: 'API requests, by route and status.',
  labelNames: ['method', 'route', 'status'],
});
// Not by status: that would be five times as many lines, and writing them delays other requests.
const durations = new Histogram({
  name: 'crier_http_request_duration_seconds',
  help: 'Duration of API requests, by route.',
  labelNames: ['method', 'route'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

export function measureRequests(server: Server) {
  server.addHook('onResponse', async (request, reply) => {
    // An event stream lasts as long as its client wants.
    if (request.routeOptions.config.isStream) return;
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none' };
    requests.inc({ ...labels, status: reply.statusCode });
    durations.observe(labels, reply.elapsedTime / 1000);
  });
}

/** Prometheus times out after 10 s, and then has no metrics at all. */
const databaseLimitMs = 5_000;

type MetricsApp = Pick<App, 'db' | 'pool' | 'clock' | 'log' | 'workerId' | 'config' | 'platformAccess' | 'storage'>;
type Labels = Record<string, string>;
type Values = number | [labels: Labels, value: number][];

/**
 * All metrics for Prometheus: those of this process, and the state of the work, which is read from the database. If the
 * database does not respond, returns only those of the process.
 */
export async function metricsText(app: MetricsApp): Promise<string> {
  const now = new Registry();
  const work = addWork(now, app).then(
    () => 1,
    () => 0,
  );
  const databaseUp = await Promise.race([work, sleep(databaseLimitMs, 0, { ref: false })]);
  await addProcess(now, app, databaseUp);
  return `${await register.metrics()}\n${await now.metrics()}`;
}

async function addProcess(registry: Registry, { config, pool, ...app }: MetricsApp, databaseUp: number) {
  const build = { version, node_version: process.version, networks: config.platformMode };
  add(registry, 'crier_build_info', 'The running version. Always 1.', [[build, 1]]);
  add(registry, 'crier_database_up', '1 if the database responded to this scrape, otherwise 0.', databaseUp);
  const storage = await storageHealth(app);
  add(registry, 'crier_storage_up', '1 if media can be stored and read, otherwise 0.', storage.ok ? 1 : 0);
  add(registry, 'crier_database_pool_connections', 'Database connections of this process, by state.', [
    [{ state: 'idle' }, pool.idleCount],
    [{ state: 'busy' }, pool.totalCount - pool.idleCount],
  ]);
  add(
    registry,
    'crier_database_pool_max_connections',
    'Maximum number of database connections of this process.',
    pool.options.max ?? 0,
  );
  add(
    registry,
    'crier_database_pool_waiting',
    'Statements of this process that are waiting for a database connection.',
    pool.waitingCount,
  );
  add(
    registry,
    'crier_ending_api_versions',
    'Network API versions that this version of Crier calls and that are retired within 60 days.',
    versionWarnings(app.clock.now(), app.platformAccess.options).length,
  );
  add(
    registry,
    'crier_loop_silence_seconds',
    'Seconds since a background loop of this process last completed a run or made progress. Each sleeps for a minute at most.',
    runningLoops(app).map(({ task, silentSeconds }) => [{ task }, silentSeconds]),
  );
  const disk = await diskSpace(config.dataDir);
  if (!disk) return;
  add(registry, 'crier_data_dir_size_bytes', 'Size of the file system that holds DATA_DIR.', disk.bytes);
  add(registry, 'crier_data_dir_free_bytes', 'Free space of the file system that holds DATA_DIR.', disk.freeBytes);
}

async function addWork(registry: Registry, { db, clock, workerId }: MetricsApp) {
  const now = clock.now();
  const [state, backlog, broken] = await Promise.all([
    workState(db, workerId, now),
    selectBacklog(db, now),
    selectBrokenConnections(db),
  ]);
  add(
    registry,
    'crier_oldest_overdue_seconds',
    'How long the oldest overdue post has been waiting.',
    state.overdueSeconds ?? 0,
  );
  add(
    registry,
    'crier_longest_run_seconds',
    'How long the longest current publishing attempt has been running.',
    state.runningSeconds ?? 0,
  );
  add(
    registry,
    'crier_waiting_lanes',
    'Connections whose next post is waiting for its due time or for a worker.',
    state.waitingLanes,
  );
  add(registry, 'crier_running_lanes', 'Connections whose posts are being published.', state.runningLanes);
  add(registry, 'crier_workers', 'Live worker processes on this database.', state.workers);
  if (state.dispatchedSecondsAgo !== null) {
    add(
      registry,
      'crier_last_dispatch_seconds',
      'Seconds since a worker last checked for due posts: the worker of this process, or any worker if it has none.',
      state.dispatchedSecondsAgo,
    );
  }
  add(
    registry,
    'crier_backlog',
    'Pending work by kind, counted up to 10000: due post groups, targets in lanes, webhook deliveries, due emails.',
    backlog.map(({ work, count }) => [{ work }, count]),
  );
  add(
    registry,
    'crier_backlog_oldest_seconds',
    'How long the oldest counted work has been due, by kind.',
    backlog.map(({ work, oldestSeconds }) => [{ work }, oldestSeconds]),
  );
  add(
    registry,
    'crier_broken_connections',
    'Connections that need action by their owner, by network and reason (reconnect, restricted), counted up to 10000.',
    broken.map(({ platform, reason, count }) => [{ platform, reason }, count]),
  );
}

function add(registry: Registry, name: string, help: string, values: Values) {
  const [first] = typeof values === 'number' ? [] : values;
  const gauge = new Gauge({ name, help, registers: [registry], labelNames: Object.keys(first?.[0] ?? {}) });
  if (typeof values === 'number') return gauge.set(values);
  for (const [labels, value] of values) gauge.set(labels, value);
}
