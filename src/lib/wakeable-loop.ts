import type { Clock } from './clock.ts';

/** Work that wakes by itself: at the time it asked for, when poked, and now and then in any case. */
export interface WakeableLoop {
  /** There may be something to do now. */
  wake(): void;
  /** Ends after the current run. */
  stop(): Promise<void>;
}

export interface WakeableLoopOptions {
  clock: Clock;
  /** Sleeps no longer than this, in case a poke got lost. */
  maxSleepMs: number;
  /** Told of a run that failed; the next follows in a second. */
  failed(error: unknown): void;
}

/** What stays due, because somebody else is at it, is asked for less and less often, down to this. */
const maxPauseMs = 32;

/** `work` does what there is to do and answers when it wants to run next, or null. It never runs twice at once. */
export function startWakeableLoop(
  work: () => Promise<Date | null>,
  { clock, maxSleepMs, failed }: WakeableLoopOptions,
): WakeableLoop {
  let stopped = false;
  let woken = false;
  let pauseMs = 0;
  let interruptSleep = () => {};

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      interruptSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const running = (async () => {
    // Not before the caller has the alarm in hand, which the work may want to poke.
    await null;
    while (!stopped) {
      woken = false;
      const next = await work().catch((error: unknown) => {
        failed(error);
        return new Date(clock.now().getTime() + 1_000);
      });
      const wait = next ? next.getTime() - clock.now().getTime() : maxSleepMs;
      if (!woken && !stopped) await sleep(wait > 0 ? Math.min(wait, maxSleepMs) : pauseMs);
      pauseMs = wait > 0 ? 0 : Math.min(pauseMs * 2 || 1, maxPauseMs);
    }
  })();

  return {
    wake() {
      woken = true;
      interruptSleep();
    },
    async stop() {
      stopped = true;
      interruptSleep();
      await running;
    },
  };
}
