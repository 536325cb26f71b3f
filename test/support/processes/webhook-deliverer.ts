// A process that only delivers, for tests that kill it: `node webhook-deliverer.ts <options as JSON>`.
import { pino } from 'pino';
import { buildApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { startDeliverer } from '../../../src/features/webhooks/delivery/deliverer.ts';
import { sealingKey } from '../../../src/foundation/lib/seal.ts';

export interface DelivererOptions {
  databaseUrl: string;
  sealingKey: string;
  environment: Record<string, string>;
  ca: string;
  leaseMs: number;
}

const options: DelivererOptions = JSON.parse(process.argv[2] ?? '');
const app = await buildApp(readConfig(options.environment), {
  databaseUrl: options.databaseUrl,
  publicUrl: 'http://crier.test',
  sandboxUrl: null,
  sealingKeys: { current: sealingKey(options.sealingKey), previous: [] },
  log: pino({ level: 'silent' }),
  egress: { ca: options.ca, lookup: async () => ['127.0.0.1'] },
});
startDeliverer(app, { leaseMs: options.leaseMs });
