import { execFile } from 'node:child_process';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import clientPackage from '../../client/package.json' with { type: 'json' };
import { packedClient } from '../../client/test/packed.ts';
import packageJson from '../package.json' with { type: 'json' };

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

test('the package depends on the client of its own version', () => {
  expect(packageJson.dependencies['@crier/client']).toBe(clientPackage.version);
  expect(packageJson.version).toBe(clientPackage.version);
});

test('the package is JavaScript that runs as npm would install it', async () => {
  const client = await packedClient();
  try {
    const modules = `${client.project}/node_modules`;
    const source = `${client.project}/source`;
    await cp(`${root}cli`, source, { recursive: true, filter: (name) => !/\/(dist|test)$/.test(name) });
    const env = { ...process.env, PATH: `${root}node_modules/.bin${delimiter}${process.env.PATH}` };
    // The compiler finds the types of Node next to the copy.
    await mkdir(`${modules}/@types`, { recursive: true });
    await cp(`${root}node_modules/@types/node`, `${modules}/@types/node`, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--pack-destination', client.project], { cwd: source, env });
    await mkdir(`${modules}/crier`);
    const archive = `${client.project}/${stdout.trim().split('\n').at(-1)}`;
    await run('tar', ['-xzf', archive, '-C', `${modules}/crier`, '--strip-components=1']);
    await cp(`${root}node_modules/commander`, `${modules}/commander`, { recursive: true });
    const files = await readdir(`${modules}/crier`, { recursive: true });
    expect(files.filter((name) => name.endsWith('.ts') || name.includes('test'))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'bin/crier.js', 'dist/main.js']));
    const crier = (...args: string[]) => run(process.execPath, [`${modules}/crier/bin/crier.js`, ...args]);
    expect((await crier('--version')).stdout).toBe(`${packageJson.version}\n`);
    expect((await crier('post', '--help')).stdout).toContain('--dry-run');
    const nowhere = { ...process.env, CRIER_URL: 'http://127.0.0.1:9', CRIER_KEY: 'sk_none' };
    const failed = run(process.execPath, [`${modules}/crier/bin/crier.js`, 'doctor'], { env: nowhere });
    await expect(failed).rejects.toMatchObject({ code: 5 });
  } finally {
    await client.remove();
  }
});
