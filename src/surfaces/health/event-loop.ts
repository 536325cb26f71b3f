import { Histogram } from 'prom-client';

const resolutionMs = 20;
/** At idle, measuring more often would be most of what the process does. */
const idleResolutionMs = 100;
const windowMs = 1000;
/** Below this much activity in a window, the loop counts as idle. */
const idleMs = 20;
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const longestBlocks = new Histogram({
  name: 'crier_event_loop_block_seconds',
  help: 'The longest time in each second that the event loop was blocked. While blocked, the process serves no requests.',
  buckets,
});
const longestWork = new Histogram({
  name: 'crier_event_loop_block_cpu_seconds',
  help: 'The most CPU time in each second that one block of the event loop used. A block that used much less was waiting for a CPU.',
  buckets,
});

/** Measures from now on, until the process ends. */
export function measureEventLoop(): void {
  let before = performance.eventLoopUtilization();
  let ticks = startTicks(idleResolutionMs);
  setInterval(() => {
    const { blockMs, cpuMs } = ticks.stop();
    longestBlocks.observe(blockMs / 1000);
    longestWork.observe(cpuMs / 1000);
    const now = performance.eventLoopUtilization();
    const { active } = performance.eventLoopUtilization(now, before);
    before = now;
    ticks = startTicks(active > idleMs ? resolutionMs : idleResolutionMs);
  }, windowMs).unref();
}

interface Ticks {
  /** Returns the longest block since the start. */
  stop(): { blockMs: number; cpuMs: number };
}

/** A late timer means that something blocked the loop. */
function startTicks(everyMs: number): Ticks {
  let last = performance.now();
  let lastCpuMs = threadCpuMs();
  let [blockMs, cpuMs] = [0, 0];
  const tick = () => {
    const [now, nowCpuMs] = [performance.now(), threadCpuMs()];
    const lateMs = now - last - everyMs;
    blockMs = Math.max(blockMs, lateMs);
    // When the timer is on time, the thread may have been busy, but in pieces.
    cpuMs = Math.max(cpuMs, Math.min(lateMs, nowCpuMs - lastCpuMs));
    [last, lastCpuMs] = [now, nowCpuMs];
  };
  const timer = setInterval(tick, everyMs).unref();
  return {
    stop() {
      clearInterval(timer);
      tick();
      return { blockMs, cpuMs };
    },
  };
}

/** Only for the event loop's thread: other threads do not block it. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
