#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const source = new URL('../src/main.ts', import.meta.url);

// The package ships only dist. A checkout runs its sources: nothing to build, nothing stale.
if (!existsSync(source)) await import('../dist/main.js');
else if (process.features.typescript) {
  const client = new URL('../../client/src/index.ts', import.meta.url).href;
  module.registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '@crier/client' ? { url: client, shortCircuit: true } : next(specifier, context),
  });
  await import(source.href);
} else {
  // The Node of the checkout can run them.
  const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
  const { status, error } = spawnSync(node, process.argv.slice(1), { stdio: 'inherit' });
  if (error) console.error('Run npm ci in the checkout first: it installs the Node that Crier needs.');
  process.exitCode = status ?? 1;
}
