import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packedClient } from '../client/test/packed.ts';
import { blocksOf, type GuideBlock, languages, scriptOf } from './support/documents/guide-blocks.ts';
import { type CrierProcess, type DataFolder, dataFolder, root, startCrier } from './support/processes/crier.ts';
import { serve } from './support/servers/local.ts';

/** Runs every command and code block in the guides and readmes against a running Crier with its sandbox. */

const docs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
const decisions = (await readdir(join(root, 'docs/decisions'))).map((name) => `docs/decisions/${name}`);
const readmes = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'client/README.md',
  'cli/README.md',
  'sandbox/README.md',
];
const pages = new Map(
  await Promise.all(
    [...docs, ...decisions, ...readmes].map(async (name) => [name, await readFile(join(root, name), 'utf8')] as const),
  ),
);
const blocksOn = (name: string) => blocksOf(pages.get(name) ?? '').blocks;
/** All pages except those with a separate test below and those without code. */
const followingQuickStart = [...pages.keys()].filter(
  (name) => !['README.md', 'client/README.md'].includes(name) && blocksOn(name).length > 0,
);

const installed = Object.keys(languages).filter((name) => {
  const { program } = languages[name]!;
  return spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0;
});
const missing = Object.keys(languages).filter((name) => !installed.includes(name));
if (missing.length > 0) console.info(`Not installed here, so their code is not run: ${missing.join(', ')}.`);

let folder: DataFolder;
let crier: CrierProcess;
let work: string;
/** Where a receiver of the guides listens. */
let receiverPort: string;
beforeAll(async () => {
  folder = await dataFolder();
  const receiver = await serve(() => {});
  receiverPort = new URL(receiver.url).port;
  await receiver.close();
  crier = await startCrier({ folder, environment: { EGRESS_ALLOW: `127.0.0.1:${receiverPort}` } });
  work = await checkoutOf(crier);
});
afterAll(async () => {
  await crier.stop();
  await rm(work, { recursive: true });
  await folder.remove();
});

/** The reader's folder after `npm start`: the checkout, with the data of the running Crier. */
async function checkoutOf({ dataDir }: CrierProcess): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'crier-guides-'));
  for (const name of await readdir(root)) if (name !== 'data') await symlink(join(root, name), join(path, name));
  await symlink(dataDir, join(path, 'data'));
  return path;
}

function run(program: string, args: string[], cwd = work) {
  const env = {
    PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
    HOME: cwd,
    TMPDIR: tmpdir(),
    GOCACHE: join(tmpdir(), 'crier-guides-go'),
  };
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(program, args, { cwd, env, timeout: 280_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` }),
    );
  });
}

/** `npx crier` would run the CLI of the checkout that node_modules links to. */
const ownNpx = 'npx() { shift; node cli/bin/crier.js "$@"; }';

async function runBlocks(all: readonly GuideBlock[], replaced: Record<string, string>, cwd = work) {
  const blocks = all.filter(({ language, saveAs }) => saveAs !== null || installed.includes(language));
  const script = Object.entries(replaced).reduce(
    (source, [from, to]) => source.replaceAll(from, to),
    `${ownNpx}\n${scriptOf(blocks)}`,
  );
  const file = join(cwd, 'session.sh');
  await writeFile(file, script);
  const { code, output } = await run('bash', [file], cwd);
  const outputs = output.split(/^@@ \d+\n/m).slice(1);
  for (const [index, { code: source, expects }] of blocks.entries()) {
    expect(outputs[index], `This did not work, or what stands before it:\n${source}\n${output.slice(-2000)}`).toContain(
      expects,
    );
  }
  expect(code, output.slice(-2000)).toBe(0);
}

const here = () => ({
  'http://localhost:3000': crier.ready.url,
  'http://127.0.0.1:3010': crier.ready.sandboxUrl ?? '',
  '127.0.0.1:4000': `127.0.0.1:${receiverPort}`,
  'listen(4000': `listen(${receiverPort}`,
});

test.each([...pages.keys()])('%s says of each piece of code whether and how it is run', (name) => {
  expect(blocksOf(pages.get(name) ?? '').unmarked).toEqual([]);
});

test.each(followingQuickStart)('everything in %s works as it stands', async (name) => {
  const setUp = blocksOn('docs/quick-start.md').slice(0, 3);
  await runBlocks([...(name === 'docs/quick-start.md' ? [] : setUp), ...blocksOn(name)], here());
});

test('everything in README.md works as it stands, on a fresh data folder', async () => {
  const own = await dataFolder();
  const fresh = await startCrier({ folder: own });
  const checkout = await checkoutOf(fresh);
  try {
    const replaced = {
      'http://localhost:3000': fresh.ready.url,
      'http://127.0.0.1:3010': fresh.ready.sandboxUrl ?? '',
    };
    await runBlocks(blocksOn('README.md'), replaced, checkout);
  } finally {
    await fresh.stop();
    await rm(checkout, { recursive: true });
    await own.remove();
  }
});

test('everything in the readme of the client works with the packed client', async () => {
  const client = await packedClient();
  try {
    const key = { language: 'sh', code: `export CRIER_KEY=${crier.ready.demo!.apiKey}`, expects: '' };
    const blocks = [{ ...key, saveAs: null, isEndless: false }, ...blocksOn('client/README.md')];
    await runBlocks(blocks, here(), client.project);
  } finally {
    await client.remove();
  }
});
