import { collectDefaultMetrics, Gauge, Histogram, Registry, register } from 'prom-client';
import type { App } from '../app.ts';
import type { Server } from '../http/fastify.ts';
import { measureEventLoop } from './event-loop.ts';
import { workState } from './queries.ts';

collectDefaultMetrics({ register });
measureEventLoop();

const requests = new Histogram({
  name: 'crier_http_request_seconds',
  help: 'Duration of API requests, by route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

export function measureRequests(server: Server) {
  server.addHook('onResponse', async (request, reply) => {
    // An event stream lasts as long as its client wants.
    if (request.routeOptions.config.isStream) return;
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode };
    requests.observe(labels, reply.elapsedTime / 1000);
  });
}

/** All metrics for Prometheus: those of this process, and the state of the work, which is read from the database. */
export async function metricsText(app: Pick<App, 'db' | 'clock' | 'workerId'>): Promise<string> {
  const state = await workState(app.db, app.workerId, app.clock.now());
  const now = new Registry();
  gauge(
    now,
    'crier_oldest_overdue_seconds',
    'How long the oldest overdue post has been waiting.',
    state.overdueSeconds ?? 0,
  );
  gauge(
    now,
    'crier_longest_run_seconds',
    'How long the longest of the current publishing attempts has been running.',
    state.runningSeconds ?? 0,
  );
  gauge(
    now,
    'crier_waiting_lanes',
    'Connections whose next post waits until it is due or for a worker.',
    state.waitingLanes,
  );
  gauge(now, 'crier_running_lanes', 'Connections whose posts are being published.', state.runningLanes);
  return `${await register.metrics()}\n${await now.metrics()}`;
}

function gauge(registry: Registry, name: string, help: string, value: number) {
  new Gauge({ name, help, registers: [registry] }).set(value);
}
