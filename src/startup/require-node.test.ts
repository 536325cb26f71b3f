import { execFile } from 'node:child_process';
import { copyFile, mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const guard = new URL('./require-node.js', import.meta.url).href;

/** The output of a Node of this version when it loads the guard. */
async function printed(version: string, file = guard): Promise<string> {
  const program = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    await import('${file}');
    console.log('loaded');`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args).catch((error) => error);
  return (stdout + stderr).trim();
}

test.each(['20.20.2', '22.18.0', '25.9.9'])('Node %s is refused with what to do, without a stack', async (version) => {
  expect(await printed(version)).toBe(
    `Crier needs Node 26, but this is Node ${version}. npm ci has installed the right version. Start Crier through npm, which uses it: npm start`,
  );
});

test('after npm ci --ignore-scripts, which installs no Node, the message is to run npm ci', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'crier-guard-'));
  const alone = join(folder.path, 'require-node.mjs');
  await copyFile(new URL(guard), alone);
  expect(await printed('20.20.2', pathToFileURL(alone).href)).toBe(
    'Crier needs Node 26, but this is Node 20.20.2. The right version comes with npm ci, but not with npm ci --ignore-scripts. Run npm ci, then npm start.',
  );
});

test.each(['26.0.0', '30.1.0'])('Node %s is let through', async (version) => {
  expect(await printed(version)).toBe('loaded');
});

test('every npm script of an operator loads the guard first, whose version is that of the package node', async () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const { scripts, dependencies } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
  for (const name of ['start', 'dev', 'sandbox', 'admin', 'demo']) {
    expect(scripts[name]).toMatch(/^node --import \.\/src\/startup\/require-node\.js /);
  }
  expect(await readFile(`${root}src/startup/require-node.js`, 'utf8')).toContain(
    `const required = ${Number.parseInt(dependencies.node, 10)};`,
  );
});
