import { Counter } from 'prom-client';

export const attemptsMade = new Counter({
  name: 'crier_webhook_attempts_total',
  help: 'Attempts to deliver an event to a webhook, by outcome.',
  labelNames: ['outcome'],
});
