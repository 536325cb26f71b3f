import { Histogram } from 'prom-client';

const resolutionMs = 20;
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
  let ticks: Ticks | null = null;
  let before = usage();
  setInterval(() => {
    const now = usage();
    const active = performance.eventLoopUtilization(now.loop, before.loop).active;
    // A loop that was nearly idle cannot have been blocked for longer than it was active.
    const { blockMs, cpuMs } = ticks?.longest() ?? {
      blockMs: active,
      cpuMs: Math.min(active, now.cpuMs - before.cpuMs),
    };
    longestBlocks.observe(blockMs / 1000);
    longestWork.observe(cpuMs / 1000);
    before = now;
    if (active > idleMs) ticks ??= startTicks();
    else {
      ticks?.stop();
      ticks = null;
    }
  }, windowMs).unref();
}

const usage = () => ({ loop: performance.eventLoopUtilization(), cpuMs: threadCpuMs() });

interface Ticks {
  /** Since the last call. */
  longest(): { blockMs: number; cpuMs: number };
  stop(): void;
}

/** A late timer means that something blocked the loop. At idle, it would be most of what the process does. */
function startTicks(): Ticks {
  let last = performance.now();
  let lastCpuMs = threadCpuMs();
  let [blockMs, cpuMs] = [0, 0];
  const timer = setInterval(() => {
    const [now, nowCpuMs] = [performance.now(), threadCpuMs()];
    const lateMs = now - last - resolutionMs;
    blockMs = Math.max(blockMs, lateMs);
    // When the timer is on time, the thread may have been busy, but in pieces.
    cpuMs = Math.max(cpuMs, Math.min(lateMs, nowCpuMs - lastCpuMs));
    [last, lastCpuMs] = [now, nowCpuMs];
  }, resolutionMs).unref();
  return {
    longest() {
      const longest = { blockMs, cpuMs };
      [blockMs, cpuMs] = [0, 0];
      return longest;
    },
    stop: () => clearInterval(timer),
  };
}

/** Only for the event loop's thread: other threads do not block it. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
