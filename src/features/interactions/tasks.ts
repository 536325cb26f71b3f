import type { App } from '../../app.ts';
import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { hourly } from '../../foundation/periodic/schedule.ts';
import { forgetPeople } from './linkedin/mentionables.ts';

export const interactionTasks = (app: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'forget-people', schedule: hourly(47), run: () => forgetPeople(app) },
];
