import { Histogram } from 'prom-client';

const resolutionMs = 20;
const windowMs = 1000;
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

/** Measures from now on, until the process ends. A late timer means that something blocked the loop. */
export function measureEventLoop(): void {
  let windowStart = performance.now();
  let last = windowStart;
  let lastCpuMs = threadCpuMs();
  let [longestMs, mostCpuMs] = [0, 0];
  setInterval(() => {
    const [now, cpuMs] = [performance.now(), threadCpuMs()];
    const lateMs = now - last - resolutionMs;
    longestMs = Math.max(longestMs, lateMs);
    // When the timer is on time, the thread may have been busy, but in pieces.
    mostCpuMs = Math.max(mostCpuMs, Math.min(lateMs, cpuMs - lastCpuMs));
    [last, lastCpuMs] = [now, cpuMs];
    if (now - windowStart < windowMs) return;
    longestBlocks.observe(longestMs / 1000);
    longestWork.observe(mostCpuMs / 1000);
    [windowStart, longestMs, mostCpuMs] = [now, 0, 0];
  }, resolutionMs).unref();
}

/** Only for the event loop's thread: other threads do not block it. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
