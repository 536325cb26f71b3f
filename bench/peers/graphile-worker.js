import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { concurrency } from './publish.js';
import { serve } from './serve.js';

/** A log line for every job would dominate the measurement. */
const logger = new Logger(() => (level, message) => {
  if (level === 'error') console.error(message);
});

await serve(async ({ databaseUrl }, publish) => {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger });
  await utils.migrate();
  await run({
    taskList: { publish: (payload) => publish(payload) },
    preset: {
      // As its documentation recommends for many short jobs: jobs are fetched and completed in batches.
      worker: {
        connectionString: databaseUrl,
        logger,
        concurrentJobs: concurrency,
        maxPoolSize: 10,
        pollInterval: 500,
        localQueue: { size: 2 * concurrency },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  });
  return async (jobs, runAt) => {
    for (let from = 0; from < jobs.length; from += 1_000) {
      const batch = jobs.slice(from, from + 1_000);
      await utils.addJobs(batch.map((payload) => ({ identifier: 'publish', payload, runAt, maxAttempts: 5 })));
    }
  };
});
