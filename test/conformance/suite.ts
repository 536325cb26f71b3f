import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/database/temporary-server.ts';
import packageJson from './package.json' with { type: 'json' };

const folder = fileURLToPath(new URL('.', import.meta.url));
const name = '@modelcontextprotocol/conformance';
const installed = `${folder}node_modules/${name}`;

/** Installs the suite in its own folder, unless it is there. False if the registry does not respond. */
export async function installSuite(): Promise<boolean> {
  const { version } = await readFile(`${installed}/package.json`, 'utf8')
    .then(JSON.parse)
    .catch(() => ({ version: null }));
  if (version === packageJson.dependencies[name]) return true;
  const npm = (...args: string[]) =>
    promisify(execFile)('npm', [...args, '--fetch-retries=1', '--fetch-timeout=30000']);
  if (!(await npm('ping').catch(() => null))) return false;
  await npm('ci', '--prefix', folder);
  return true;
}

export interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  description: string;
  errorMessage?: string;
}

/**
 * Runs the suite with these arguments, and returns its checks by scenario. On every output, `onOutput` gets everything
 * printed so far.
 */
export async function runSuite(
  args: readonly string[],
  onOutput: (printed: string) => void = () => {},
): Promise<Map<string, Check[]>> {
  const results = await temporaryFolder();
  const child = spawn(process.execPath, [`${installed}/dist/index.js`, ...args, '--output-dir', results.path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      onOutput(printed);
    });
  }
  await once(child, 'close');
  const found = new Map<string, Check[]>();
  // A folder is named after its scenario and the time.
  for (const entry of await readdir(results.path)) {
    const scenario = entry.replace(/^(server|authorization-server)-(?=.)|-\d{4}-\d\d-\d\dT.*$/g, '');
    found.set(scenario, JSON.parse(await readFile(`${results.path}/${entry}/checks.json`, 'utf8')));
  }
  await results.remove();
  if (found.size === 0) throw new Error(`The suite has no results:\n${printed}`);
  return found;
}
