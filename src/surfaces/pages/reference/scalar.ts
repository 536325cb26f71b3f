import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import packageJson from '../../../../package.json' with { type: 'json' };

/** The version is exact in package.json, so it identifies the script in a browser's cache. */
export const scalarPath = `/docs/scalar-${packageJson.dependencies['@scalar/fastify-api-reference']}.js`;

/** Scalar's browser script. Loading the package blocks a thread for 300 ms, so another thread does it. */
export async function readScalar(): Promise<string> {
  const [script]: string[] = await once(new Worker(new URL('./scalar-worker.ts', import.meta.url)), 'message');
  return script ?? '';
}
