// Everything that can be known without running the service. CI runs exactly this, and the tests.
import { spawnSync } from 'node:child_process';

const checks: [name: string, command: string, ...args: string[]][] = [
  ['types', 'tsc', '--noEmit'],
  ['format and lint', 'biome', 'check', '--error-on-warnings'],
  ['unused code', 'knip'],
  ['architecture', 'vitest', 'run', 'test/architecture.test.ts'],
  ['generated files', 'node', 'scripts/generate.ts', '--check'],
];

for (const [name, command, ...args] of checks) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name}`);
  if (status !== 0) {
    console.error(stdout, stderr);
    process.exitCode = 1;
  }
}
