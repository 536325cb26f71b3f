import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import lock from '../package-lock.json' with { type: 'json' };
import { temporaryFolder } from './support/database/temporary-server.ts';
import { root } from './support/processes/crier.ts';

/** The exit code and output of the audit against a registry with these responses. */
async function audit(status: number, advisories: object) {
  await using registry = createServer((request, response) => {
    const answer = request.method === 'POST' ? advisories : packumentOf(decodeURIComponent(request.url ?? '').slice(1));
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = registry.address() as AddressInfo;
  const cache = await temporaryFolder();
  onTestFinished(() => cache.remove());
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: cache.path };
  const { code, stdout } = await promisify(execFile)('bash', ['.ci/audit'], { cwd: root, env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  );
  return { code, output: stdout };
}

/** A registry's metadata for a package, with only the version in the lock file. */
function packumentOf(name: string) {
  const installed: Record<string, { version?: string; link?: boolean }> = lock.packages;
  const version = installed[`node_modules/${name}`]?.version ?? '0.0.0';
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version } } };
}

const advisory = (severity: string) => ({
  fastify: [
    {
      id: 1,
      url: 'https://advisories.example/1',
      title: 'Everything is readable',
      severity,
      vulnerable_versions: '*',
    },
  ],
});

test('a dependency with a known grave vulnerability fails the run', async () => {
  const { code, output } = await audit(200, advisory('high'));
  expect([code, output]).toEqual([1, expect.stringContaining('Everything is readable')]);
});

test('a dependency with a slight one does not', async () => {
  expect(await audit(200, advisory('low'))).toMatchObject({ code: 0 });
});

test('a registry that does not answer the audit does not fail the run, which says so', async () => {
  const { code, output } = await audit(405, {});
  expect([code, output]).toEqual([0, expect.stringContaining('the dependencies were not checked')]);
});
