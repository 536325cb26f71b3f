import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { compressed } from '../compressed.ts';
import { appRoutes } from './app-routes.ts';
import { pagePolicy } from './page-policy.ts';

/** Every page path. The page's script decides what to show. */
const pages = [
  '/',
  '/signin',
  '/signup',
  '/welcome',
  '/calendar',
  '/queue',
  '/compose',
  '/compose/:postGroupId',
  '/posts',
  '/posts/:postGroupId',
  '/channels',
  '/media',
  '/insights',
  '/developers/keys',
  '/developers/webhooks',
  '/developers/webhooks/:webhookId',
  '/developers/mcp',
  '/developers/requests',
  '/workspace',
  '/settings/profile',
  '/settings/security',
  '/settings/appearance',
  '/settings/usage',
];

/** Paths that people may guess. */
const shortcuts = { '/dashboard': '/', '/settings': '/settings/profile', '/developers': '/developers/keys' };

/** Sends the page of the dashboard built into this folder. */
export function dashboardPage({ storage }: App['config'], folder: string) {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  return (reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    reply.headers({ 'content-security-policy': pagePolicy(nonce, storage), 'cache-control': 'no-store' });
    return reply.type('text/html; charset=utf-8').send(page.replaceAll('__CSP_NONCE__', nonce));
  };
}

/** Serves the dashboard built into this folder. */
export async function dashboardRoutes(server: Server, sendPage: ReturnType<typeof dashboardPage>, folder: string) {
  const options = { schema: { hide: true }, config: { quiet: true } };
  for (const address of pages) server.get(address, options, (_, reply) => sendPage(reply));
  for (const [address, target] of Object.entries(shortcuts))
    server.get(address, options, (_, reply) => reply.redirect(target));
  appRoutes(server, folder);
  const names = new Set(await readdir(join(folder, 'assets')));
  for (const name of names) {
    if (name.endsWith('.br')) continue;
    const path = join(folder, 'assets', name);
    const file = {
      type: types[extname(name)] ?? 'application/octet-stream',
      cacheControl: forever,
      readBrotli: names.has(`${name}.br`) ? () => readFile(`${path}.br`) : undefined,
    };
    server.get(
      `/assets/${name}`,
      options,
      compressed(() => readFile(path), file),
    );
    const font = /^((?:inter|besley)-latin(?:-ext)?)-wght-normal-.*\.woff2$/.exec(name)?.[1];
    if (font)
      server.get(
        `/fonts/${font}.woff2`,
        options,
        compressed(() => readFile(path), plainFont),
      );
  }
}

/** Pages outside the dashboard don't know the hashed file names, so the fonts have fixed paths for them. */
const plainFont = { type: 'font/woff2', cacheControl: 'public, max-age=604800' };

/** A file's name changes with its content. */
const forever = 'public, max-age=31536000, immutable';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
