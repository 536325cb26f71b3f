// One worker of the chaos suite: the real worker on a fast clock, until it is killed.
import { flushCompileCache } from 'node:module';
import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { sealingKey } from '../../src/foundation/lib/seal.ts';
import { startWorker } from '../../src/surfaces/worker.ts';
import { fastClock } from './fast-clock.ts';
import type { WorkerSettings } from './workers.ts';

const settings: WorkerSettings = JSON.parse(process.argv[2] ?? '{}');
const app = await buildApp(readConfig({ DATA_DIR: settings.dataDir, PUBLIC_URL: settings.publicUrl }), {
  databaseUrl: settings.databaseUrl,
  publicUrl: settings.publicUrl,
  sandboxUrl: settings.sandboxUrl,
  sealingKeys: { current: sealingKey(settings.sealingKey), previous: [] },
  log: pino({ level: 'silent' }),
  clock: fastClock(settings.clockBase, settings.clockFactor, settings.skewMs),
});
// A network that never responds times out after seconds, not after a minute.
await startWorker({ ...app, platformAccess: { ...app.platformAccess, timeoutMs: settings.platformTimeoutMs } });
process.send?.('ready');
// Node writes the cache on exit, which a killed worker never reaches.
flushCompileCache();
