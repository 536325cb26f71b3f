import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CrierProcess } from '../support/processes/crier.ts';
import { readMetrics } from './observe.ts';

/** Lets the debugger use any free port when a signal starts it. */
export const debuggable = { NODE_OPTIONS: '--inspect-port=0' };

/** The heap after a full collection: the memory really retained, however short the run is. */
export async function retainedHeapMb(crier: CrierProcess): Promise<number> {
  const socket = new WebSocket(await debuggerOf(crier));
  await once(socket, 'open');
  socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
  await once(socket, 'message');
  socket.close();
  return (await readMetrics(crier.ready.url)).heapMb;
}

async function debuggerOf(crier: CrierProcess): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const address = /Debugger listening on (ws:\S+)/.exec(crier.output())?.[1];
    if (address) return address;
    if (tries === 0) process.kill(crier.ready.pid, 'SIGUSR1');
    await sleep(100);
  }
  throw new Error('The debugger did not start within 10 seconds.');
}
