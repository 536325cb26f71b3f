import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

// Without a compile cache, this thread would load its own TypeScript stripper (see main.ts).
enableCompileCache();
const { startSandbox } = await import('./server.ts');

// Runs the sandbox on a worker thread of a service. It posts the address it listens at, and any message ends it.
if (!parentPort) throw new Error('Start this file as a worker thread. To run only the sandbox, start main.ts.');
const port = parentPort;
const sandbox = await startSandbox(workerData);
port.postMessage({ url: sandbox.url });
port.once('message', async () => {
  await sandbox.close();
  port.close();
});
