import { PgBoss } from 'pg-boss';
import { concurrency } from './publish.js';
import { serve } from './serve.js';

/** Each worker fetches a batch and waits for all of it, so several of them keep the network busy. */
const workers = 4;

await serve(async ({ databaseUrl }, publish) => {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 10 });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue('publish', { retryLimit: 5, retryBackoff: true });
  const options = { batchSize: concurrency / workers, pollingIntervalSeconds: 0.5 };
  for (let started = 0; started < workers; started += 1) {
    await boss.work('publish', options, (jobs) => Promise.all(jobs.map(({ data }) => publish(data))));
  }
  return async (jobs, startAfter) => {
    for (let from = 0; from < jobs.length; from += 1_000) {
      await boss.insert(
        'publish',
        jobs.slice(from, from + 1_000).map((data) => ({ data, startAfter })),
      );
    }
  };
});
