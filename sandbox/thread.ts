import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

// As in main.ts: without the cache, this thread would load a TypeScript stripper of its own.
enableCompileCache();
const { startSandbox } = await import('./server.ts');

// The sandbox beside a service in one process, on a thread of its own. Says where it listens; any message ends it.
if (!parentPort) throw new Error('Start this as a worker thread. On its own, the sandbox is main.ts.');
const port = parentPort;
const sandbox = await startSandbox(workerData);
port.postMessage({ url: sandbox.url });
port.once('message', async () => {
  await sandbox.close();
  port.close();
});
