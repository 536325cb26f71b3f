import { Counter } from 'prom-client';

export const rateLimitRefusals = new Counter({
  name: 'crier_rate_limit_refusals_total',
  help: 'Requests refused by a rate limit, by rate (docs/limits.md).',
  labelNames: ['rate'],
});
