import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Histogram } from 'prom-client';

const resolutionMs = 10;

const longestBlocks = new Histogram({
  name: 'crier_event_loop_block_seconds',
  help: 'The longest time in each second for which the event loop was blocked. While it is, this process serves nobody.',
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

/** Measures from now on, for as long as the process runs. */
export function measureEventLoop(): void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  setInterval(() => {
    // Node measures the time between two ticks of its timer, which is the resolution where nothing blocks.
    longestBlocks.observe(Math.max(0, delay.max / 1e9 - resolutionMs / 1000));
    delay.reset();
  }, 1000).unref();
}
