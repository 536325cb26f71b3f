import { Counter } from 'prom-client';

export const mailsEnded = new Counter({
  name: 'crier_mails_total',
  help: 'Mails to users, by kind and outcome (sent, failed).',
  labelNames: ['kind', 'outcome'],
});
