// Builds the package @crier/server, which `npx @crier/server` starts: `node scripts/build-package.ts [folder]`.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { builtDashboard } from '../src/startup/dashboard-build.ts';
import { root } from './demo-crier.ts';

const target = resolve(process.argv[2] ?? join(root, 'dist', 'package'));
/** Folders with TypeScript, and the output folder of each. Node does not strip types from files in node_modules. */
const programs = { src: 'src', sandbox: 'sandbox', 'cli/src': 'cli/dist', 'client/src': 'client/dist' };
const asTheyAre = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'docs',
  'migrations',
  'openapi.json',
  'cli/bin',
  'cli/package.json',
];

await rm(target, { recursive: true, force: true });
for (const [from, to] of Object.entries(programs)) await copyProgram(join(root, from), join(target, to));
for (const name of asTheyAre) await cp(join(root, name), join(target, name), { recursive: true, filter: isForReaders });
const dashboard = await builtDashboard();
await cp(dashboard, join(target, 'dashboard', 'dist', basename(dashboard)), { recursive: true });
await mkdir(join(target, 'bin'));
await cp(join(root, 'scripts', 'package-bin.js'), join(target, 'bin', 'crier.js'));
await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
console.log(
  `Built ${target}. Pack or publish it with npm pack ${relative('.', target)}, npm publish ${relative('.', target)}.`,
);

/** Pages and pictures, without the site built from them. */
function isForReaders(file: string): boolean {
  return !/^docs\/(\.vitepress|project|index\.md)/.test(relative(root, file));
}

async function copyProgram(from: string, to: string) {
  const files = (await readdir(from, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const file = join(to, relative(from, parentPath), name);
    if (name.endsWith('.test.ts')) continue;
    await mkdir(dirname(file), { recursive: true });
    if (!name.endsWith('.ts')) await cp(join(parentPath, name), file);
    else await writeFile(file.replace(/\.ts$/, '.js'), compiled(await readFile(join(parentPath, name), 'utf8'), file));
  }
}

/** Keeps line numbers, so that stack traces match the sources. */
function compiled(source: string, file: string): string {
  const client = relative(dirname(file), join(target, 'client', 'dist', 'index.js'));
  return stripTypeScriptTypes(source)
    .replaceAll(/(['"`])(\.{1,2}\/[^'"`\n]*)\.ts\1/g, '$1$2.js$1')
    .replaceAll(`'@crier/client'`, `'${client}'`);
}

function manifest() {
  const { version, description, license, type, overrides, allowScripts } = packageJson;
  // npm applies overrides only to the root package, so each pinned package must be a dependency here.
  const dependencies = { ...packageJson.dependencies, '@better-auth/core': overrides['@better-auth/core'] };
  const engines = { node: '>=20.19' };
  const bin = { crier: 'bin/crier.js' };
  return { name: '@crier/server', version, description, license, type, engines, bin, dependencies, allowScripts };
}
