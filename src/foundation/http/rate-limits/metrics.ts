import { Counter } from 'prom-client';

export const rateLimitRefusals = new Counter({
  name: 'crier_rate_limit_refusals_total',
  help: 'Requests that were refused because their caller sent too many, by rate (docs/limits.md).',
  labelNames: ['rate'],
});
