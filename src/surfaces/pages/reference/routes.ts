import { readFile } from 'node:fs/promises';
import type { App } from '../../../app.ts';
import { documentNames } from '../../../foundation/http/openapi/parts.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { compressed } from '../compressed.ts';
import { pagePaths, referencePage, referencePolicy, tryItPath } from './page.ts';
import { readScalar, scalarPath } from './scalar.ts';

/**
 * The API reference at `/docs`, with a page per OpenAPI document. Scalar renders it; nothing is loaded from another
 * host.
 */
export function referenceRoutes(server: Server, { config }: Pick<App, 'config'>) {
  const options = { schema: { hide: true }, config: { quiet: true } };
  const headers = { 'content-security-policy': referencePolicy };
  for (const name of documentNames) {
    const show = compressed(() => referencePage(name, config.platformMode), {
      type: 'text/html; charset=utf-8',
      headers,
    });
    server.get(pagePaths[name], options, show);
  }
  const script = { type: 'text/javascript; charset=utf-8' };
  const forever = { ...script, cacheControl: 'public, max-age=31536000, immutable' };
  server.get(scalarPath, options, compressed(readScalar, forever));
  server.get(
    tryItPath,
    options,
    compressed(() => readFile(new URL('./try-it.js', import.meta.url)), script),
  );
}
