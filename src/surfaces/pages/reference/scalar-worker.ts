import { parentPort } from 'node:worker_threads';
import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

// The package does not export the script, but serves it.
const server = Fastify();
await server.register(scalar, { routePrefix: '/', configuration: { content: {} } });
const { body } = await server.inject('/js/scalar.js');
/** What Scalar shows in an empty field for a key: a joke in base64, which looks like a key that is filled in. */
const placeholder = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT';
const readable = body.replaceAll(placeholder, 'Your key or token');
// Without the address of a source map that is not served.
parentPort?.postMessage(readable.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
