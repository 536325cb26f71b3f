import type { App } from '../app.ts';
import type { Queue } from '../jobs/jobs.ts';
import { platformFor } from '../platforms/index.ts';
import { forgetOldFlows, selectEndingSoon } from './queries.ts';
import { renewed } from './renew.ts';

const renewAhead: Queue = { name: 'renew-credentials' };
const weekMs = 7 * 86_400_000;
const hourly = 1000;

type Needs = Pick<App, 'jobs' | 'db' | 'clock' | 'platformAccess' | 'sealingKeys' | 'log'>;

export async function connectionTasks(app: Needs) {
  await app.jobs.work(renewAhead, (_, signal) => keepConnected(app, signal));
  await app.jobs.schedule(renewAhead, '23 * * * *');
}

/** Credentials of weeks are renewed in their last one, whether or not anybody posts. Trouble waits for the next hour. */
export async function keepConnected(app: Omit<Needs, 'jobs'>, signal: AbortSignal) {
  const now = app.clock.now();
  await forgetOldFlows(app.db, now);
  for (const connection of await selectEndingSoon(app.db, now, new Date(now.getTime() + weekMs), hourly)) {
    const platform = platformFor(connection.platform);
    if (!platform || signal.aborted) continue;
    await renewed(app, platform, connection, signal, 'now').catch((error: unknown) => {
      app.log.warn({ err: error, connectionId: connection.id }, 'credentials could not be renewed ahead of time');
    });
  }
}
