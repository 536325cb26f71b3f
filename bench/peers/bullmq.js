import { Queue, Worker } from 'bullmq';
import { concurrency } from './publish.js';
import { serve } from './serve.js';

await serve(async ({ redisSocket }, publish) => {
  const connection = { path: redisSocket, maxRetriesPerRequest: null };
  const queue = new Queue('publish', { connection });
  const worker = new Worker('publish', ({ data }) => publish(data), { connection, concurrency });
  worker.on('error', (error) => console.error(error));
  await worker.waitUntilReady();
  const opts = { attempts: 5, backoff: { type: 'exponential', delay: 1_000 }, removeOnComplete: true };
  return async (jobs, dueAt) => {
    for (let from = 0; from < jobs.length; from += 1_000) {
      const delay = dueAt.getTime() - Date.now();
      const batch = jobs.slice(from, from + 1_000);
      await queue.addBulk(batch.map((data) => ({ name: 'publish', data, opts: { ...opts, delay, jobId: data.id } })));
    }
  };
});
