import type pg from 'pg';
import { type Db as BossDatabase, fromKysely, type JobInsert, PgBoss, type QueueOptions } from 'pg-boss';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import type { Listener } from '../db/listener.ts';

/** A kind of background work. `T` is what a job carries: ids, never the things themselves. */
export interface Queue<T extends object = object> {
  readonly name: string;
  readonly options?: QueueOptions;
  /** Only here to carry the type. */
  readonly data?: T;
}

export interface Jobs {
  /** Queues in the caller's transaction: the jobs exist if and only if it commits. */
  send<T extends object>(tx: Db, queue: Queue<T>, jobs: readonly { data: T; startAfter?: Date }[]): Promise<void>;
  /** Starts to take jobs. One that throws is tried again; what it must not repeat, it must remember itself. */
  work<T extends object>(queue: Queue<T>, task: (data: T, signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Queues a job at each time of a cron expression (UTC), once for all processes together. */
  schedule(queue: Queue, cron: string): Promise<void>;
  /** Takes no more jobs and waits for the running ones, at most this long; what still runs then is tried again later. */
  close(timeoutMs?: number): Promise<void>;
}

/** New jobs are told to us; those that wait for a time, or for another try, are found by looking. */
const lookEverySeconds = 5;

/** The job engine of all features, in the same database and on the same connections as everything else. */
export async function openJobs(pool: pg.Pool, listener: Listener, log: Logger): Promise<Jobs> {
  const boss = new PgBoss({ db: onOurConnections(pool, listener), schema: 'jobs', useListenNotify: true });
  boss.on('error', (error) => log.error({ err: error }, 'job engine'));
  await boss.start();
  const queues = new Map<string, Promise<void>>();
  let closing: Promise<void> | null = null;

  const ensure = ({ name, options }: Queue) => {
    const made = queues.get(name) ?? boss.createQueue(name, { notify: true, ...options });
    queues.set(name, made);
    return made;
  };

  return {
    async send(tx, queue, jobs) {
      await ensure(queue);
      const rows: JobInsert[] = jobs.map(({ data, startAfter }) => ({ data, ...(startAfter && { startAfter }) }));
      await boss.insert(queue.name, rows, { db: fromKysely(tx) });
    },
    async work<T extends object>(queue: Queue<T>, task: (data: T, signal: AbortSignal) => Promise<void>) {
      await ensure(queue);
      await boss.work<T>(queue.name, { notifyPollingIntervalSeconds: lookEverySeconds }, async ([job]) => {
        if (job) await task(job.data, job.signal);
      });
    },
    async schedule(queue, cron) {
      await ensure(queue);
      await boss.schedule(queue.name, cron, null, { missed: 'once' });
    },
    close(timeoutMs = 0) {
      closing ??= boss.stop({ graceful: timeoutMs > 0, timeout: timeoutMs });
      return closing;
    },
  };
}

/** pg-boss would open a pool and a listening connection of its own: some 20 MB each at idle. */
const onOurConnections = (pool: pg.Pool, listener: Listener): BossDatabase => ({
  executeSql: (text, values) => pool.query(text, values),
  async listen(channel, heard, reconnected) {
    listener.on(channel, heard);
    listener.onGap(reconnected);
    // The listener closes with the app.
    return { close: async () => {} };
  },
});
