import { existsSync } from 'node:fs';

// Every npm script loads this file first (--import). It is plain JavaScript, because an old Node cannot read
// TypeScript: it would exit with a stack trace that does not say what to do.
const required = 26;
const { node: version } = process.versions;

if (Number.parseInt(version, 10) < required) {
  const installed = existsSync(new URL('../../node_modules/node/bin/node', import.meta.url));
  const advice = installed
    ? 'npm ci has installed the right version. Start Crier through npm, which uses it: npm start'
    : 'The right version comes with npm ci, but not with npm ci --ignore-scripts. Run npm ci, then npm start.';
  console.error(`\nCrier needs Node ${required}, but this is Node ${version}. ${advice}\n`);
  process.exit(1);
}
