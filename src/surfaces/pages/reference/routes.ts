import { readFileSync } from 'node:fs';
import { type DocumentName, documentNames, documentPath } from '../../../foundation/http/openapi/parts.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { compressed, shortHash } from '../compressed.ts';
import type { OtherPage } from './body.ts';
import { textFromThread } from './from-thread.ts';
import { referencePage, referencePolicy } from './page.ts';
import { readScalar, scalarVersion } from './scalar.ts';

const script = 'text/javascript; charset=utf-8';
const forever = 'public, max-age=31536000, immutable';
const quiet = { schema: { hide: true }, config: { quiet: true } };
/** The first one starts the page. */
const modules = ['reference.js', 'own-examples.js', 'samples.js', 'sample-view.js', 'scalar.js', 'search.js'];

const pages = {
  api: { path: '/docs', title: 'reference for programs' },
  dashboard: { path: '/docs/dashboard', title: 'reference of the dashboard' },
} as const satisfies Record<DocumentName, OtherPage>;

/**
 * The API reference at `/docs`, with a page for each document. Its scripts have their version in their address, so browsers
 * never ask for them twice.
 */
export function referenceRoutes(server: Server) {
  const sources = new Map(modules.map((name) => [name, browserFile(name)]));
  const folder = `/docs/${shortHash([...sources.values()].join())}`;
  const scalar = `/docs/scalar-${scalarVersion}.js`;
  const page = async (name: DocumentName) =>
    referencePage({
      scalar,
      document: documentPath(name),
      modules: modules.map((file) => `${folder}/${file}`),
      style: browserFile('reference.css'),
      body: await textFromThread(bodyWorker, { openapi: await server.openapi(name), other: otherPage(name) }),
    });
  const headers = { 'content-security-policy': referencePolicy };
  for (const name of documentNames) {
    const show = compressed(() => page(name), { type: 'text/html; charset=utf-8', headers });
    server.get(pages[name].path, quiet, show);
  }
  server.get(scalar, quiet, compressed(readScalar, { type: script, cacheControl: forever }));
  for (const [name, source] of sources) {
    server.get(
      `${folder}/${name}`,
      quiet,
      compressed(() => source, { type: script, cacheControl: forever }),
    );
  }
}

const bodyWorker = new URL('./body-worker.ts', import.meta.url);
const otherPage = (name: DocumentName) => pages[name === 'api' ? 'dashboard' : 'api'];
const browserFile = (name: string) => readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');
