import type { App } from '../app.ts';
import { retentionStart } from '../lib/retention-start.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { daily } from '../periodic/schedule.ts';
import { type Deliverer, startDeliverer } from './deliverer.ts';
import { deleteOld } from './delivery-queries.ts';

export const startWebhooks = (app: App): Deliverer => startDeliverer(app);

export const webhookTasks = ({ db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>): PeriodicTask[] => [
  {
    name: 'prune-webhook-deliveries',
    schedule: daily('03:47'),
    async run(signal) {
      const { deliveries, events } = config.retention;
      await deleteOld(db, 'webhook_deliveries', retentionStart(deliveries, clock.now()), signal);
      await deleteOld(db, 'events', retentionStart(events, clock.now()), signal);
    },
  },
];
