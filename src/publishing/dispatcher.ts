import type { App } from '../app.ts';
import { type Alarm, startAlarm } from '../lib/alarm.ts';
import { dispatchDue, nextDueTime, wakePublishers } from './queries.ts';

const batch = 500;

/** Groups due soon wake us (a trigger in the database sees to it); anything else is found within this. */
const maxSleepMs = 30_000;

/** Sleeps until the next due time, then hands what is due to the publishers. Safe in any number of processes at once. */
export function startDispatcher(app: Pick<App, 'db' | 'clock' | 'listener' | 'log'>, ticked: () => void): Alarm {
  const alarm = startAlarm(
    async () => {
      await dispatch(app);
      ticked();
      return nextDueTime(app.db);
    },
    {
      clock: app.clock,
      maxSleepMs,
      failed: (error) => app.log.error({ err: error }, 'dispatching failed; trying again in a second'),
    },
  );
  app.listener.on('post_group_due', () => alarm.poke());
  app.listener.onGap(() => alarm.poke());
  return alarm;
}

/** Everything that is due now, in order of due time. */
export async function dispatch({ db, clock }: Pick<App, 'db' | 'clock'>) {
  let dispatched = batch;
  while (dispatched === batch) {
    dispatched = await dispatchDue(db, clock.now(), batch);
    if (dispatched > 0) await wakePublishers(db);
  }
}
