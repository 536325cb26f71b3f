import packageJson from '../../../../package.json' with { type: 'json' };
import { textFromThread } from './from-thread.ts';

/** The version is fixed in package.json, so it also says which script a browser has stored. */
export const scalarVersion = packageJson.dependencies['@scalar/fastify-api-reference'];

/** Scalar's script for browsers. Its package holds it as text inside a module of 4 MB. */
export const readScalar = () => textFromThread(new URL('./scalar-worker.ts', import.meta.url));
