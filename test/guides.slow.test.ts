import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwnExamples } from '../src/http/reference/browser/own-examples.js';
import { type CrierProcess, type DataFolder, dataFolder, root, startCrier } from './support/crier-process.ts';
import { blocksOf, languages, scriptOf } from './support/guide-blocks.ts';
import type { Answer } from './support/service.ts';

/** Runs every command and every piece of code in the guides against a running Crier with its sandbox. */

const guides = [
  'quick-start',
  'media',
  'threads-and-comments',
  'webhooks',
  'managed-users',
  'errors-and-retries',
  'automation',
  'moving',
];
/** Pages whose code is data, or run by a test of their own. */
const others = ['README', 'going-live'];

const installed = Object.keys(languages).filter(
  (name) => spawnSync(languages[name]!.program, ['--version']).status === 0,
);
const missing = Object.keys(languages).filter((name) => !installed.includes(name));
if (missing.length > 0) console.info(`Not installed here, so their code is not run: ${missing.join(', ')}.`);

let folder: DataFolder;
let crier: CrierProcess;
let work: string;
beforeAll(async () => {
  folder = await dataFolder();
  crier = await startCrier({ folder });
  work = await checkoutOf(crier);
}, 120_000);
afterAll(async () => {
  await crier.stop();
  await rm(work, { recursive: true });
  await folder.remove();
});

/** A folder as the reader has it after `npm start`: the checkout, with the data of the running Crier. */
async function checkoutOf({ dataDir }: CrierProcess): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'crier-guides-'));
  for (const name of await readdir(root)) if (name !== 'data') await symlink(join(root, name), join(path, name));
  await symlink(dataDir, join(path, 'data'));
  return path;
}

const textOf = (name: string) => readFile(join(root, 'docs', `${name}.md`), 'utf8');

function run(program: string, args: string[]) {
  const env = { PATH: `${join(process.execPath, '..')}:${process.env.PATH}`, HOME: work, TMPDIR: tmpdir() };
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(program, args, { cwd: work, env, timeout: 100_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` }),
    );
  });
}

test.each([...guides, ...others])('%s says of each piece of code whether and how it is run', async (name) => {
  const { unmarked } = blocksOf(await textOf(name));
  expect(unmarked).toEqual([]);
});

test.each(guides)('everything in %s works as it stands', async (name) => {
  const setUp = blocksOf(await textOf('quick-start')).blocks.slice(0, 3);
  const own = blocksOf(await textOf(name)).blocks;
  const blocks = [...(name === 'quick-start' ? [] : setUp), ...own].filter(({ language }) =>
    installed.includes(language),
  );
  const script = scriptOf(blocks).replaceAll('http://127.0.0.1:3000', crier.ready.url);
  const file = join(work, `${name}.sh`);
  await writeFile(file, script);
  const { code, output } = await run('bash', [file]);
  const outputs = output.split(/^@@ \d+\n/m).slice(1);
  for (const [index, { code: source, expects }] of blocks.entries()) {
    expect(outputs[index], `This did not work, or what stands before it:\n${source}\n${output.slice(-2000)}`).toContain(
      expects,
    );
  }
  expect(code, output.slice(-2000)).toBe(0);
});

describe('the examples of the reference work as they stand, with the key of the reader', () => {
  const asked = ['createPost', 'validatePost', 'getPost', 'listPosts', 'listConnections', 'getAccountContext'];

  test.each(asked)('%s', async (operationId) => {
    const { apiKey: key } = crier.ready.demo!;
    const headers = { 'x-service-key': key };
    const read = async (path: string): Promise<Answer['body']> =>
      (await fetch(`${crier.ready.baseUrl}${path}`, { headers })).json();
    const [openapi, { connections }, { posts }] = await Promise.all(
      ['/openapi.json', '/platform-connections', '/list-posts?limit=1'].map(read),
    );
    const filled = withOwnExamples(openapi, crier.ready.url, {
      key,
      connections: connections.map(({ platformId }: { platformId: string }) => platformId),
      postGroupId: posts[0].postGroupId,
      now: new Date(),
    });
    const operation = Object.values(filled.paths as Record<string, Record<string, Sampled>>)
      .flatMap((methods) => Object.values(methods))
      .find((each) => each.operationId === operationId);
    for (const { lang, source } of operation?.['x-codeSamples'] ?? []) {
      const language = { shell: 'sh', typescript: 'ts' }[lang] ?? lang;
      if (!installed.includes(language)) continue;
      const { program, args, extension } = languages[language]!;
      const file = join(work, `${operationId}${extension}`);
      await writeFile(file, source);
      const { output } = await run(program, [...args, file]);
      expect(output, source).toContain('"success":true');
    }
  });
});

interface Sampled {
  operationId: string;
  'x-codeSamples': { lang: string; source: string }[];
}
