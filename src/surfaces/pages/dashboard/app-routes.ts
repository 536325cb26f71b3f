import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from '../../../foundation/http/server.ts';

/** Icons keep their names, so browsers ask again after a week. */
const icon = { type: 'image/png', cacheControl: 'public, max-age=604800' };

/** What makes the dashboard an app that can be installed, by address. All of it is the same for everyone. */
const files: Record<string, { type: string; cacheControl: string }> = {
  '/manifest.webmanifest': { type: 'application/manifest+json; charset=utf-8', cacheControl: 'public, max-age=3600' },
  // Browsers compare it with the one they have, so that a change takes effect with the next visit.
  '/share-worker.js': { type: 'text/javascript; charset=utf-8', cacheControl: 'no-cache' },
  '/icons/icon-192.png': icon,
  '/icons/icon-512.png': icon,
  '/icons/maskable-192.png': icon,
  '/icons/maskable-512.png': icon,
  '/icons/apple-touch-icon.png': icon,
};

export function appRoutes(server: Server, folder: string) {
  const options = { schema: { hide: true }, config: { quiet: true } };
  for (const [address, { type, cacheControl }] of Object.entries(files)) {
    // A build for a test has only what the test needs.
    if (!existsSync(join(folder, address))) continue;
    const content = readFileSync(join(folder, address));
    server.get(address, options, (_, reply) => reply.type(type).header('cache-control', cacheControl).send(content));
  }
  // Phones share to this address, and the worker takes it. Without the worker, what was shared is neither read nor kept:
  // the composer asks to share it again, and has registered the worker by then.
  server.post('/share', {
    ...options,
    onRequest: async (_, reply) => reply.header('connection', 'close').redirect('/compose?shared=1', 303),
    handler: async () => null,
  });
}
