import { parentPort } from 'node:worker_threads';
import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

// The package does not export the script, but serves it.
const server = Fastify();
await server.register(scalar, { routePrefix: '/', configuration: { content: {} } });
const { body } = await server.inject('/js/scalar.js');
// Without the address of a source map that is not served.
parentPort?.postMessage(body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
