import { createServer } from 'node:net';
import { pino } from 'pino';
import { fileRoutes } from '../../../src/features/files/serve-routes.ts';
import { buildFastify, type FastifyOptions } from '../../../src/foundation/http/fastify.ts';
import { idMaker } from '../../../src/foundation/lib/ids.ts';
import type { Storage } from '../../../src/foundation/storage/storage.ts';
import { systemClock } from '../../../src/foundation/time/clock.ts';

/** Serves only the media routes, on a free port of this machine. `open` gets the address first. */
export async function serveMedia(
  open: (publicUrl: string) => Storage,
  { log = pino({ level: 'silent' }), ...options }: Partial<FastifyOptions> = {},
) {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const storage = open(publicUrl);
  const server = await buildFastify({ log, newId: idMaker(systemClock), corsOrigins: [], ...options });
  server.decorateRequest('countRefusal', async () => {});
  const recordedType = async (key: string) => (await storage.stat(key))?.contentType ?? 'application/octet-stream';
  fileRoutes(server, { storage, recordedType, receive: async () => ({ end: async () => true }) });
  await server.listen({ port, host: '127.0.0.1' });
  return {
    storage,
    publicUrl,
    async [Symbol.asyncDispose]() {
      server.server.closeAllConnections();
      await server.close();
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return address.port;
}
