import { Histogram } from 'prom-client';

const resolutionMs = 20;
const windowMs = 1000;

const longestBlocks = new Histogram({
  name: 'crier_event_loop_block_seconds',
  help: 'The longest time in each second for which the event loop was blocked. While it is, this process serves nobody.',
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

/** Measures from now on, for as long as the process runs: a timer that is late was kept waiting by what blocked the loop. */
export function measureEventLoop(): void {
  let windowStart = performance.now();
  let last = windowStart;
  let longestMs = 0;
  setInterval(() => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last - resolutionMs);
    last = now;
    if (now - windowStart < windowMs) return;
    longestBlocks.observe(longestMs / 1000);
    [windowStart, longestMs] = [now, 0];
  }, resolutionMs).unref();
}
