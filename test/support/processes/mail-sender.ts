// A process that only sends mail, for tests that kill it: `node mail-sender.ts <options as JSON>`.
import { pino } from 'pino';
import { buildApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { startMailSender } from '../../../src/features/mail/sender.ts';
import { sealingKey } from '../../../src/foundation/lib/seal.ts';

export interface MailSenderOptions {
  databaseUrl: string;
  sealingKey: string;
  environment: Record<string, string>;
  leaseMs: number;
}

const options: MailSenderOptions = JSON.parse(process.argv[2] ?? '');
const app = await buildApp(readConfig(options.environment), {
  databaseUrl: options.databaseUrl,
  publicUrl: 'http://crier.test',
  sandboxUrl: null,
  sealingKeys: { current: sealingKey(options.sealingKey), previous: [] },
  log: pino({ level: 'silent' }),
});
startMailSender(app, { leaseMs: options.leaseMs });
