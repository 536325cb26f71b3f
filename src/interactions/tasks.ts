import type { App } from '../app.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { hourly } from '../periodic/schedule.ts';
import { forgetPeople } from './linkedin/mentionables.ts';

export const interactionTasks = (app: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'forget-people', schedule: hourly(47), run: () => forgetPeople(app) },
];
