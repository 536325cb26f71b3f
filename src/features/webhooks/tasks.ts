import type { App } from '../../app.ts';
import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { daily, everyMinute } from '../../foundation/periodic/schedule.ts';
import { retentionStart } from '../../foundation/time/retention-start.ts';
import { type Deliverer, startDeliverer } from './delivery/deliverer.ts';
import { deleteOld } from './delivery/delivery-queries.ts';
import { deleteRemovedDeliveries } from './delivery/settle-queries.ts';

export const startWebhooks = (app: App): Deliverer => startDeliverer(app);

export const webhookTasks = ({ db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>): PeriodicTask[] => [
  {
    name: 'delete-removed-deliveries',
    schedule: everyMinute,
    run: (signal) => deleteRemovedDeliveries(db, signal),
  },
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
