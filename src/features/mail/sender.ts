import type { App } from '../../app.ts';
import { retryTransientMs } from '../../foundation/db/retry-transient.ts';
import type { WakeableLoop } from '../../foundation/lib/wakeable-loop.ts';
import { startWatchedLoop, watchWork } from '../../foundation/periodic/background-work.ts';
import { backgroundFailures } from '../../foundation/periodic/metrics.ts';
import { attemptMail, type MailApp } from './attempt.ts';
import { type Capacity, type ClaimedMail, claimMails, nextMailTime } from './queries.ts';

/** Mails sent concurrently. Retries are counted separately: no matter how many of them hang, new mails are sent. */
const capacity: Capacity = { fresh: 8, retried: 4 };
const maxSleepMs = 30_000;
const task = 'mail-sender';

export interface MailSender {
  /** Stops claiming mails and waits up to this long for those being sent. */
  stop(timeoutMs: number): Promise<void>;
}

export interface SenderOptions {
  /** For one attempt. */
  timeoutMs?: number;
  /** If a process dies, others take over its mails after this time. */
  leaseMs?: number;
}

/** Sends due mails, each independently of the others. */
export function startMailSender(app: MailApp & Pick<App, 'listener'>, given: SenderOptions = {}): MailSender {
  const { timeoutMs = 60_000 } = given;
  const leaseMs = given.leaseMs ?? timeoutMs + retryTransientMs + 10_000;
  const running = new Map<string, { attempts: number; work: Promise<void> }>();
  const aborting = new AbortController();
  const options = { timeoutMs, stopping: aborting.signal, health: watchWork(app, 'mail-delivery') };
  let stopping = false;

  async function run(mail: ClaimedMail) {
    try {
      await attemptMail(app, mail, options);
    } catch (error) {
      backgroundFailures.inc({ task });
      app.log.error(
        { err: error, task, mailId: mail.id },
        'sending an email failed; it will be retried when the lease expires',
      );
    } finally {
      running.delete(mail.id);
      loop.wake();
    }
  }

  async function claimDue() {
    if (stopping) return null;
    const now = app.clock.now();
    const until = new Date(now.getTime() + leaseMs);
    for (const mail of await claimMails(app.db, { now, until, free: freeCapacity([...running.values()]) })) {
      running.set(mail.id, { attempts: mail.attempts, work: run(mail) });
    }
    return nextMailTime(app.db, freeCapacity([...running.values()]));
  }

  const loop: WakeableLoop = startWatchedLoop(app, task, claimDue, { maxSleepMs });
  app.listener.on('mail_queued', () => loop.wake());
  app.listener.onGap(() => loop.wake());

  return {
    async stop(stopMs) {
      stopping = true;
      await loop.stop();
      const timer = setTimeout(() => aborting.abort(), stopMs);
      await Promise.all([...running.values()].map(({ work }) => work));
      clearTimeout(timer);
    },
  };
}

function freeCapacity(running: readonly { attempts: number }[]): Capacity {
  const fresh = running.filter(({ attempts }) => attempts === 1).length;
  return { fresh: capacity.fresh - fresh, retried: capacity.retried - (running.length - fresh) };
}
