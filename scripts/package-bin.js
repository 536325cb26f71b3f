#!/usr/bin/env node
// The command of the package @crier/server. It is plain JavaScript, because any Node from 20 on must be able to read it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const [command, ...rest] = process.argv.slice(2);

const help = `Crier: social publishing on this machine.

  npx @crier/server                  start everything: database, service, dashboard, sandbox of all networks
  npx @crier/server admin <command>  administer it; without a command, lists them
  npx @crier/server <command>        the command line: post, list, watch, import; "post --help" and so on
  npx @crier/server --version

Where the package is installed, "npx crier" does the same.

Data is kept in ./crier-data, or in DATA_DIR. All settings: .env in this folder, or the environment; see
${join(root, 'README.md')}`;

if (command === '--help' || command === '-h' || command === 'help') console.log(help);
else if (command === '--version') console.log(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
else if (command === undefined) run('src/main.js', []);
else if (command === 'admin') run('src/admin.js', rest);
else run('cli/bin/crier.js', [command, ...rest]);

/** Runs the program in the Node that comes with the package. Forwards signals that reach only this process. */
function run(program, args) {
  if (!isSet('DATA_DIR')) process.env.DATA_DIR = './crier-data';
  // For messages that name an admin command.
  process.env.CRIER_ADMIN ??= 'npx @crier/server admin';
  const child = spawn(ownNode(), [join(root, program), ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}

/** Set in the environment, or in the .env file, which Crier reads itself. */
function isSet(name) {
  if (process.env[name]) return true;
  return (
    existsSync('.env') && new RegExp(`^\\s*(export\\s+)?${name}\\s*=\\s*\\S`, 'm').test(readFileSync('.env', 'utf8'))
  );
}

function ownNode() {
  const required = 26;
  const node = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
  if (existsSync(node)) return node;
  if (Number.parseInt(process.versions.node, 10) >= required) return process.execPath;
  console.error(
    `\nCrier needs Node ${required}, but this is Node ${process.versions.node}. The right version comes with the package, but not ` +
      'if npm runs no install scripts: allow those of the package "node", or install it yourself.\n',
  );
  process.exit(1);
}
