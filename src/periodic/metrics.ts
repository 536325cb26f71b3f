import { Counter } from 'prom-client';

export const taskRuns = new Counter({
  name: 'crier_periodic_task_runs_total',
  help: 'Runs of periodic tasks, by task and outcome (succeeded, failed).',
  labelNames: ['task', 'outcome'],
});
