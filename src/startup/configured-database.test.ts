import { expect, test } from 'vitest';
import { retryWhileDown } from '../foundation/db/database-down.ts';
import { cleanup } from './cleanup.ts';
import { openConfiguredDatabase } from './configured-database.ts';
import { openLog } from './log.ts';

test('a database that does not respond in time is named in a sentence, without its password', async () => {
  const log = await openLog('silent');
  const config = { databaseUrl: 'postgres://crier:hush@127.0.0.1:1/crier', databaseListenUrl: null, dataDir: '' };
  const retrying = retryWhileDown(log, { waitSeconds: 1 });
  await expect(openConfiguredDatabase(config, log, cleanup(), retrying)).rejects.toThrow(
    'Cannot connect to the database 127.0.0.1:1/crier: connect ECONNREFUSED 127.0.0.1:1. ' +
      'Check DATABASE_URL, and that the server is running.',
  );
});
