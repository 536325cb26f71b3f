// All checks that do not run the service. CI runs exactly this, and the tests.
import { spawnSync } from 'node:child_process';
import { documentFiles } from '../src/foundation/http/openapi/parts.ts';

const checks: [name: string, command: string, ...args: string[]][] = [
  ['types', 'tsc', '--noEmit'],
  ['types of the client', 'tsc', '-p', 'client', '--noEmit'],
  ['types of the dashboard', 'tsc', '-p', 'dashboard'],
  ['format and lint', 'biome', 'check', '--error-on-warnings'],
  ['unused code', 'knip'],
  ['architecture', 'vitest', 'run', 'test/architecture.test.ts'],
  ['generated files', 'node', 'scripts/generate.ts', '--check'],
  ['links of the docs site', 'vitepress', 'build', 'docs'],
  ['OpenAPI rules', 'redocly', 'lint', ...Object.values(documentFiles)],
];

// The checks must not depend on the network.
const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

for (const [name, command, ...args] of checks) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name}`);
  if (status !== 0) {
    console.error(stdout, stderr);
    process.exitCode = 1;
  }
}
