import type { Clock } from '../time/clock.ts';

/** A loop that runs its work at the time the work requested, when woken, and after `maxSleepMs` at the latest. */
export interface WakeableLoop {
  /** Runs the work now, or once more if it is running. */
  wake(): void;
  /** Stops after the current run. */
  stop(): Promise<void>;
}

export interface WakeableLoopOptions {
  clock: Clock;
  /** The longest sleep, in case a wake-up got lost. */
  maxSleepMs: number;
  /** Called after a failed run. The next run follows in a second. */
  onError(error: unknown): void;
}

/** Work that stays due because another process holds it is polled with a pause that doubles up to this. */
const maxPauseMs = 32;

/** `work` returns when it wants to run next, or null. Two runs never overlap. */
export function startWakeableLoop(
  work: () => Promise<Date | null>,
  { clock, maxSleepMs, onError }: WakeableLoopOptions,
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
    // The first run starts once the caller has the loop, because the work may want to wake it.
    await null;
    while (!stopped) {
      woken = false;
      const next = await work().catch((error: unknown) => {
        onError(error);
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
