import type { App } from '../app.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { daily } from '../periodic/schedule.ts';
import { type Deliverer, startDeliverer } from './deliverer.ts';
import { deleteOld } from './delivery-queries.ts';

const keptMs = 30 * 24 * 3_600_000;

export const startWebhooks = (app: App): Deliverer => startDeliverer(app);

export const webhookTasks = ({ db, clock }: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  {
    name: 'prune-webhook-deliveries',
    schedule: daily('03:47'),
    run: () => deleteOld(db, new Date(clock.now().getTime() - keptMs)),
  },
];
