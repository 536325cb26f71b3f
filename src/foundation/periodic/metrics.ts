import { Counter, Gauge } from 'prom-client';

export const backgroundFailures = new Counter({
  name: 'crier_background_failures_total',
  help: 'Failures of continuous background work (dispatcher, publisher, heartbeat, webhook-deliverer, mail-sender, mail-delivery, periodic-tasks, listener, clock), by task.',
  labelNames: ['task'],
});

export const taskRuns = new Counter({
  name: 'crier_periodic_task_runs_total',
  help: 'Runs of periodic tasks, by task and outcome (succeeded, failed).',
  labelNames: ['task', 'outcome'],
});

export const clockOffset = new Gauge({
  name: 'crier_clock_offset_seconds',
  help: 'Seconds by which the clock of this machine is ahead of the database clock, which Crier uses.',
});
