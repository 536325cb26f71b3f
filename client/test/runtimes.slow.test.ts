import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedHeaders } from '../../src/features/webhooks/delivery/sign.ts';
import { webhookEvents } from '../../src/foundation/events/catalogue.ts';
import { temporaryFolder } from '../../test/support/database/temporary-server.ts';
import { anImage } from '../../test/support/files/media.ts';
import { serve } from '../../test/support/servers/local.ts';
import { testService } from '../../test/support/service/service.ts';
import { packedClient } from './packed.ts';

const run = promisify(execFile);
const smokeTest = fileURLToPath(new URL('smoke.js', import.meta.url));
let packed: Awaited<ReturnType<typeof packedClient>>;

beforeAll(async () => {
  packed = await packedClient();
});
afterAll(() => packed.remove());

/** A service for one runtime, with the data that the smoke test needs. Pages of `origin` may call it. */
async function stage(origin = 'http://nowhere.example') {
  // Upload URLs contain the address of the service, so it must be known before the service starts.
  const free = await serve(() => {});
  const port = Number(new URL(free.url).port);
  await free.close();
  const publicUrl = `http://127.0.0.1:${port}`;
  const folder = await temporaryFolder();
  const service = await testService({ environment: { CORS_ORIGINS: origin, DATA_DIR: folder.path }, publicUrl });
  await service.server.listen({ port, host: '127.0.0.1' });
  const ada = await service.aUser();
  const { bytes } = await anImage({ type: 'png' });
  const now = new Date();
  const { body, type } = webhookEvents.postScheduled.emit(
    { postGroupId: '1', scheduledTime: now.toISOString(), platforms: [] },
    now,
  );
  const headers = signedHeaders({ id: '1', event: type, body, secret: 'secret', now });
  const input = {
    baseUrl: publicUrl,
    apiKey: ada.apiKey,
    platform: await ada.aConnection(),
    image: bytes.toString('base64'),
    delivery: { body, headers, secret: 'secret' },
  };
  const expected = { posts: ['Hello'], media: 'ready', sent: bytes.length, streamed: ['ready', 'post'], event: type };
  async function close() {
    await service.close();
    await folder.remove();
  }
  return { input, expected, [Symbol.asyncDispose]: close };
}

/** The Node of the machine, not the one in node_modules. */
async function systemNode(): Promise<string> {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const { stdout } = await run('/bin/sh', ['-c', 'command -v node'], { env: { PATH: folders.join(delimiter) } });
  return stdout.trim();
}

test.each([
  ['the Node of the machine', systemNode],
  ['the Node of the service', async () => process.execPath],
])('the client works in %s', async (_, find) => {
  await using service = await stage();
  const node = await find();
  const source = `
    import * as client from ${JSON.stringify(packed.entry)};
    import { smoke } from ${JSON.stringify(smokeTest)};
    console.log(JSON.stringify(await smoke(client, ${JSON.stringify(service.input)})));`;
  const { stdout } = await run(node, ['--input-type=module', '--eval', source]);
  expect(JSON.parse(stdout)).toEqual(service.expected);
});

/** Skipped where not installed. To install: `npm install bun deno`, with its `node_modules/.bin` on the PATH. */
const runtimes = [
  { name: 'Bun', command: ['bun', 'run'] },
  { name: 'Deno', command: ['deno', 'run', '--allow-all', '--node-modules-dir=manual'] },
].map((runtime) => ({ ...runtime, version: versionOf(runtime.command[0]!) }));
const missing = runtimes.filter(({ version }) => version === null).map(({ name }) => name);
if (missing.length > 0) console.info(`Not on the PATH, so the client is not tried there: ${missing.join(', ')}.`);

function versionOf(program: string): string | null {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.split(/[\n(]/)[0]!.trim() : null;
}

test.each(runtimes.filter(({ version }) => version !== null))(
  'the client works in $name ($version)',
  async ({ command: [program = '', ...args] }) => {
    await using service = await stage();
    const file = `${packed.project}/smoke.mjs`;
    // Deno looks for packages in node_modules only if package.json names them.
    await writeFile(`${packed.project}/package.json`, '{ "dependencies": { "@crier/client": "*" } }');
    await writeFile(
      file,
      `import * as client from '@crier/client';
      import { smoke } from ${JSON.stringify(pathToFileURL(smokeTest).href)};
      console.log(JSON.stringify(await smoke(client, ${JSON.stringify(service.input)})));`,
    );
    const { stdout } = await run(program, [...args, file], { cwd: packed.project });
    expect(JSON.parse(stdout)).toEqual(service.expected);
  },
);

/** Evaluates an expression with the client in a Chromium page. The site redirects everything below /moved. */
async function inChromium(expressionAt: (site: string) => Promise<string>, movedTo = ''): Promise<unknown> {
  let report: (result: unknown) => void = () => {};
  const reported = new Promise((resolve) => {
    report = resolve;
  });
  const files = new Map<string, string>([['/smoke.js', await readFile(smokeTest, 'utf8')]]);
  await using site = await serve(async (request, response) => {
    const name = request.url ?? '/';
    if (name.startsWith('/moved/')) return void response.writeHead(307, { location: movedTo + name }).end();
    if (request.method === 'POST') report(await json(request));
    const type = name.endsWith('.js') ? 'text/javascript' : 'text/html';
    const dist = /^\/dist\/[\w.-]+\.js$/.test(name) ? await readFile(packed.folder + name, 'utf8') : undefined;
    response.writeHead(200, { 'content-type': type }).end(files.get(name) ?? dist ?? '');
  });
  files.set(
    '/',
    `<script type="module">
      import * as client from '/dist/index.js';
      import { smoke } from '/smoke.js';
      const result = await (${await expressionAt(site.url)}).catch((error) => error.code ?? String(error.stack));
      await fetch('/', { method: 'POST', body: JSON.stringify(result) });
    </script>`,
  );
  const profile = await temporaryFolder();
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    `--user-data-dir=${profile.path}`,
  ];
  const browser = spawn(process.env.CHROMIUM ?? 'chromium', [...flags, site.url], { stdio: 'ignore' });
  const ended = once(browser, 'exit');
  const result = await reported;
  browser.kill('SIGKILL');
  await ended;
  await profile.remove();
  return result;
}

test('the client works in Chromium, from a page of another origin', async () => {
  let service: Awaited<ReturnType<typeof stage>> | undefined;
  const result = await inChromium(async (site) => {
    service = await stage(site);
    return `smoke(client, ${JSON.stringify(service.input)})`;
  });
  expect(result).toEqual(service!.expected);
  await service![Symbol.asyncDispose]();
});

test('the client follows no redirect to another origin in Chromium', async () => {
  const heard: string[] = [];
  await using other = await serve((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'x-service-key' };
    response.writeHead(200, { ...allowed, 'content-type': 'application/json' }).end('{}');
  });
  const call = async (site: string) =>
    `Promise.resolve(new client.Crier({ baseUrl: '${site}/moved', apiKey: 'sk_secret' }).listWebhooks())`;
  expect([await inChromium(call, other.url), heard]).toEqual(['REDIRECTED', []]);
});
