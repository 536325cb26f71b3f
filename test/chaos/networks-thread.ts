// The thread of the sandbox in a chaos run.
import { parentPort, workerData } from 'node:worker_threads';
import { startSandbox } from '../../sandbox/server.ts';
import { fastClock } from './fast-clock.ts';
import type { Times } from './networks.ts';

const { clockBase, clockFactor }: Times = workerData;
const { now } = fastClock(clockBase, clockFactor);
const sandbox = await startSandbox({
  port: 0,
  host: '127.0.0.1',
  folder: null,
  processingMs: 1000,
  now: () => now().getTime(),
});
parentPort?.postMessage(sandbox.url);
