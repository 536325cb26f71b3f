import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ConfigurationError } from '../src/config/config.ts';
import { type Crier, DemoError, openCrier, root } from './demo-crier.ts';

/** `npm run demo`: publishes one post to every network of the sandbox through the REST API and shows the results. */

const run = promisify(execFile);
const publishLimitMs = 60_000;

interface Connection {
  platformId: string;
  handle: string;
}
interface PlatformPost {
  platform: string;
  status: string;
  postedId: string | null;
  permalink: string | null;
  error?: { code: string; message: string };
}

await main();

async function main() {
  try {
    const crier = await openCrier();
    process.exitCode = (await publishEverywhere(crier)) ? 0 : 1;
    if (crier.isOurs) {
      const { url, pid } = crier.ready;
      console.log(`Crier keeps running at ${url}, so that the links open. To stop it: kill ${pid}`);
    }
  } catch (error) {
    console.error(error instanceof ConfigurationError || error instanceof DemoError ? error.message : error);
    process.exitCode = 1;
  }
}

async function publishEverywhere({ ready, environment }: Crier): Promise<boolean> {
  const { demo, baseUrl, sandboxUrl } = ready;
  const call = apiOf(baseUrl, demo.apiKey);

  const connections = await connectEverywhere(environment, demo.userId);
  console.log(`New sandbox accounts for ${demo.email}: ${connections.map(({ handle }) => handle).join(', ')}`);
  const { platforms: limits } = await call<{ platforms: Record<string, { images: { supported: boolean } }> }>(
    'GET',
    '/platform-limits',
  );
  const all = connections.map(({ platformId }) => platformId);
  const withImages = all.filter((id) => limits[id.split('-')[0] ?? '']?.images.supported);
  const posts = [
    ...(await publish(
      call,
      withImages,
      `An image from the Crier demo, ${new Date().toLocaleTimeString()} 👋`,
      await image(),
    )),
    ...(await publish(call, all, `A video from the Crier demo, ${new Date().toLocaleTimeString()} 🎬`, await video())),
  ];
  const published = posts.filter(({ status }) => status === 'published').length;
  console.log(`\n${table(posts)}\n\n${published} of ${posts.length} published.`);
  console.log(`The sandbox shows them: ${sandboxUrl}`);
  return published === posts.length;
}

interface DemoFile {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

/** Draft, upload, publish: the calls of a typical client. */
async function publish(call: Api, platforms: string[], content: string, file: DemoFile): Promise<PlatformPost[]> {
  const { postGroupId } = await call<{ postGroupId: string }>('POST', '/create-post', { content, platforms });
  const { fileName, contentType, bytes } = file;
  const upload = { postGroupId, fileName, contentType };
  const { uploadUrl } = await call<{ uploadUrl: string }>('POST', '/get-upload-url', upload);
  const put = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: new Uint8Array(bytes),
  });
  if (!put.ok) throw new DemoError(`The upload answered ${put.status}: ${await put.text()}`);
  const startedAt = performance.now();
  await call('PUT', `/update-post/${postGroupId}`, { publishNow: true });
  console.log(`\n${content}\npost group ${postGroupId}`);
  const posts = await outcome(() => call<{ posts: PlatformPost[] }>('GET', `/get-post/${postGroupId}`));
  console.log(`  in ${((performance.now() - startedAt) / 1000).toFixed(2)} s`);
  return posts;
}

async function image(): Promise<DemoFile> {
  const { default: sharp } = await import('sharp');
  const background = { r: 32, g: 110, b: 160 };
  const bytes = await sharp({ create: { width: 1200, height: 900, channels: 3, background } })
    .jpeg()
    .toBuffer();
  return { fileName: 'demo.jpg', contentType: 'image/jpeg', bytes };
}

async function video(): Promise<DemoFile> {
  const bytes = await readFile(join(root, 'src/surfaces/admin/prove/sample.mp4'));
  return { fileName: 'demo.mp4', contentType: 'video/mp4', bytes };
}

/** Connects the accounts with the admin command, as an operator would. */
async function connectEverywhere(env: Crier['environment'], userId: string): Promise<Connection[]> {
  const args = ['src/admin.ts', 'connect-sandbox', '--user', userId, '--networks', 'all', '--json'];
  try {
    const { stdout } = await run(process.execPath, args, { cwd: root, env });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '').connections;
  } catch (error) {
    throw new DemoError(`connect-sandbox failed: ${(error as { stderr?: string }).stderr?.trim() || error}`);
  }
}

async function outcome(read: () => Promise<{ posts: PlatformPost[] }>): Promise<PlatformPost[]> {
  const deadline = Date.now() + publishLimitMs;
  const reported = new Set<string>();
  for (;;) {
    const { posts } = await read();
    const ended = posts.filter(({ status }) => status === 'published' || status === 'failed');
    for (const { platform, status } of ended.filter((post) => !reported.has(post.platform))) {
      reported.add(platform);
      console.log(`  ${platform}: ${status}`);
    }
    if (ended.length === posts.length || Date.now() > deadline) return posts;
    await sleep(50);
  }
}

type Api = <T>(method: string, path: string, body?: object) => Promise<T>;

function apiOf(baseUrl: string, apiKey: string): Api {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { 'x-service-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new DemoError(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
}

function table(posts: readonly PlatformPost[]): string {
  const rows = posts.map(({ platform, status, postedId, permalink, error }) => [
    platform,
    status,
    postedId ?? '',
    permalink ?? (error ? `${error.code}: ${error.message}` : ''),
  ]);
  const all = [['network', 'status', 'posted id', 'permalink'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
