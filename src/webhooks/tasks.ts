import type { App } from '../app.ts';
import type { Queue } from '../jobs/jobs.ts';
import { type Deliverer, startDeliverer } from './deliver.ts';
import { deleteOld } from './delivery-queries.ts';

const prune: Queue = { name: 'prune-webhook-deliveries' };
const keptMs = 30 * 24 * 3_600_000;

export async function startWebhooks(app: App): Promise<Deliverer> {
  await app.jobs.work(prune, () => deleteOld(app.db, new Date(app.clock.now().getTime() - keptMs)));
  await app.jobs.schedule(prune, '47 3 * * *');
  return startDeliverer(app);
}
