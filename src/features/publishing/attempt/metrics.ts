import { Counter, Histogram } from 'prom-client';

export const lateness = new Histogram({
  name: 'crier_publish_lateness_seconds',
  help: 'Time from the due time of a post to the first call to the platform.',
  labelNames: ['platform'],
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
});

export const outcomes = new Counter({
  name: 'crier_publish_outcomes_total',
  help: 'Attempts to publish a platform post, by outcome.',
  labelNames: ['platform', 'outcome', 'code'],
});
