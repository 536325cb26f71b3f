import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CrierProcess, dataFolder, startCrier } from '../test/support/crier-process.ts';

const megabyte = 1024 ** 2;
const large = 510;
/** The largest file that attach-media downloads. */
const fetched = 148;

/** How much the process's memory grows while a large file passes through it, for each way of uploading. */
export async function media() {
  const folder = await dataFolder();
  const source = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': fetched * megabyte });
    void pour(response, fetched);
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  const place = `127.0.0.1:${(source.address() as AddressInfo).port}`;
  const crier = await startCrier({
    folder,
    environment: { LOG_LEVEL: 'error', EGRESS_ALLOW: place, RATE_LIMITS: 'off' },
  });
  try {
    const draft = await aDraft(crier);
    // The first upload of each kind loads its modules.
    await put(crier, draft, 2);
    await video(crier, draft, 2);
    return {
      [`PUT of ${large} MB to an upload address: grows by (MB; < 64)`]: await growth(crier, () =>
        put(crier, draft, large),
      ),
      [`process-video with ${large} MB: grows by (MB; < 64)`]: await growth(crier, () => video(crier, draft, large)),
      [`attach-media of ${fetched} MB: grows by (MB; < 64)`]: await growth(crier, () => attach(crier, draft, place)),
    };
  } finally {
    await crier.stop();
    source.close();
    await folder.remove();
  }
}

async function growth({ ready }: CrierProcess, work: () => Promise<void>): Promise<number> {
  await sleep(2_000);
  const before = await residentMegabytes(ready.pid);
  let most = before;
  const watching = setInterval(async () => {
    most = Math.max(most, await residentMegabytes(ready.pid));
  }, 20);
  await work();
  clearInterval(watching);
  return Math.round(most - before);
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function call<T>({ ready }: CrierProcess, method: string, path: string, body: object): Promise<T> {
  const response = await fetch(ready.baseUrl + path, {
    method,
    headers: { 'x-service-key': ready.demo!.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as T;
}

async function aDraft(crier: CrierProcess): Promise<string> {
  const { baseUrl, demo } = crier.ready;
  const headers = { 'x-service-key': demo!.apiKey };
  const found = await fetch(`${baseUrl}/platform-connections`, { headers });
  const { connections } = (await found.json()) as { connections: { platformId: string }[] };
  const platforms = [connections[0]!.platformId];
  return (await call<{ postGroupId: string }>(crier, 'POST', '/create-post', { content: 'Large', platforms }))
    .postGroupId;
}

async function put(crier: CrierProcess, postGroupId: string, megabytes: number) {
  const file = { postGroupId, fileName: 'large.mp4', contentType: 'video/mp4' };
  const { uploadUrl } = await call<{ uploadUrl: string }>(crier, 'POST', '/get-upload-url', file);
  const headers = { 'content-type': 'video/mp4', 'content-length': megabytes * megabyte };
  await send('PUT', uploadUrl, headers, (outgoing) => pour(outgoing, megabytes), 200);
}

async function video(crier: CrierProcess, postGroupId: string, megabytes: number) {
  const { baseUrl, demo } = crier.ready;
  const boundary = 'a-boundary-that-is-in-no-film';
  const part = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`;
  const headers = { 'x-service-key': demo!.apiKey, 'content-type': `multipart/form-data; boundary=${boundary}` };
  const body = async (outgoing: NodeJS.WritableStream) => {
    outgoing.write(`${part('name="postGroupId"')}\r\n${postGroupId}\r\n`);
    outgoing.write(`${part('name="video"; filename="large.mp4"')}content-type: video/mp4\r\n\r\n`);
    await pour(outgoing, megabytes, `\r\n--${boundary}--\r\n`);
  };
  await send('POST', `${baseUrl}/process-video`, headers, body, 200);
}

async function attach(crier: CrierProcess, postGroupId: string, place: string) {
  const file = { download_url: `http://${place}/large.mp4`, file_id: 'large' };
  await call(crier, 'POST', `/attach-media/${postGroupId}`, { file });
}

function send(
  method: string,
  url: string,
  headers: Record<string, string | number>,
  body: (outgoing: NodeJS.WritableStream) => Promise<void>,
  expected: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, async (response) => {
      const text = (await response.toArray()).join('');
      if (response.statusCode === expected) resolve();
      else reject(new Error(`${method} ${url}: ${response.statusCode} ${text}`));
    });
    outgoing.on('error', reject);
    body(outgoing).catch(reject);
  });
}

/** The beginning of an MP4, followed by zeros. */
async function pour(outgoing: NodeJS.WritableStream, megabytes: number, end = '') {
  const piece = Buffer.alloc(megabyte / 4);
  const head = Buffer.alloc(megabyte / 4);
  head.write('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1');
  for (let sent = 0; sent < megabytes * 4; sent += 1) {
    if (!outgoing.write(sent === 0 ? head : piece)) await new Promise((resolve) => outgoing.once('drain', resolve));
  }
  outgoing.end(end);
}
