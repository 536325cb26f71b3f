// A process that only serves the API, for tests that kill it: `node api-process.ts <options as JSON>`. Prints its address.
import { pino } from 'pino';
import { buildApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { sealingKey } from '../../../src/foundation/lib/seal.ts';
import { buildServer } from '../../../src/surfaces/server.ts';

export interface ApiProcessOptions {
  databaseUrl: string;
  sandboxUrl: string | null;
  sealingKey: string;
}

const options: ApiProcessOptions = JSON.parse(process.argv[2] ?? '');
const app = await buildApp(readConfig({ RATE_LIMITS: 'off' }), {
  databaseUrl: options.databaseUrl,
  publicUrl: 'http://crier.test',
  sandboxUrl: options.sandboxUrl,
  sealingKeys: { current: sealingKey(options.sealingKey), previous: [] },
  log: pino({ level: 'silent' }),
});
const server = await buildServer(app);
console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
