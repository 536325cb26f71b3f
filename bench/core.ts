import { pino } from 'pino';
import { buildCore, type Core } from '../src/app.ts';
import { readConfig } from '../src/config/config.ts';
import { sealingKey } from '../src/foundation/lib/seal.ts';
import { secretKey } from './harness/stage.ts';

/** The service's use-cases in this process, without its server and background work. */
export const openCore = (databaseUrl: string): Core =>
  buildCore(readConfig({}), {
    databaseUrl,
    publicUrl: 'http://localhost',
    sandboxUrl: null,
    sealingKeys: { current: sealingKey(secretKey), previous: [] },
    log: pino({ level: 'silent' }),
  });
