import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import packageJson from '../../../package.json' with { type: 'json' };

/** The version is fixed in package.json, so it also says which script a browser has stored. */
export const scalarVersion = packageJson.dependencies['@scalar/fastify-api-reference'];

/**
 * Scalar's script for browsers. Its package holds it as text inside a module of 4 MB, whose evaluation would block this
 * process, so a worker thread loads it and ends.
 */
export async function readScalar(): Promise<string> {
  const worker = new Worker(new URL('./scalar-worker.ts', import.meta.url));
  const [script]: string[] = await once(worker, 'message');
  await worker.terminate();
  return script ?? '';
}
