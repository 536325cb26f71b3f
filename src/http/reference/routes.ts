import { readFileSync } from 'node:fs';
import { compressed, shortHash } from '../compressed.ts';
import type { Server } from '../fastify.ts';
import { textFromThread } from './from-thread.ts';
import { referencePage, referencePolicy } from './page.ts';
import { readScalar, scalarVersion } from './scalar.ts';

const script = 'text/javascript; charset=utf-8';
const forever = 'public, max-age=31536000, immutable';
const quiet = { schema: { hide: true }, config: { quiet: true } };
/** The first one starts the page. */
const modules = ['reference.js', 'own-examples.js', 'samples.js', 'sample-view.js', 'scalar.js', 'search.js'];

/** The API reference at `/docs`. Its scripts have their version in their address, so browsers never ask for them twice. */
export function referenceRoutes(server: Server) {
  const sources = new Map(modules.map((name) => [name, browserFile(name)]));
  const folder = `/docs/${shortHash([...sources.values()].join())}`;
  const scalar = `/docs/scalar-${scalarVersion}.js`;
  const page = async () =>
    referencePage({
      scalar,
      modules: modules.map((name) => `${folder}/${name}`),
      style: browserFile('reference.css'),
      body: await textFromThread(new URL('./body-worker.ts', import.meta.url), server.swagger()),
    });
  const headers = { 'content-security-policy': referencePolicy };
  server.get('/docs', quiet, compressed(page, { type: 'text/html; charset=utf-8', headers }));
  server.get(scalar, quiet, compressed(readScalar, { type: script, cacheControl: forever }));
  for (const [name, source] of sources) {
    server.get(
      `${folder}/${name}`,
      quiet,
      compressed(() => source, { type: script, cacheControl: forever }),
    );
  }
}

const browserFile = (name: string) => readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');
