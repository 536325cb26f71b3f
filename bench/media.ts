import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../test/support/database/temporary-server.ts';
import type { Benchmark, Row } from './harness/benchmark.ts';
import { type Child, startChild } from './harness/child.ts';
import { compare, figureRow, requireCount } from './harness/compare.ts';
import { residentMegabytes, timed } from './harness/processes.ts';
import type { Scale } from './harness/scale.ts';
import { type Stage, startStage } from './harness/stage.ts';
import type { Upload } from './media-client.ts';
import { keyOf, platformIdOf, signUp, type Tenant } from './tenants.ts';

const megabyte = 1024 ** 2;
/** The largest file that attach-media downloads is 150 MB. */
const downloadedMegabytes = 148;

export const media: Benchmark<AsyncDisposable> = {
  name: 'media',
  about: 'large uploads on disk and on S3, and the memory that they take',
  forms: [],
  async measure(_stage, { scale }) {
    await using stack = new AsyncDisposableStack();
    const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
    const s3 = stack.use(
      await startChild(new URL('s3-server.ts', import.meta.url), { folder: join(folder.path, 's3') }),
    );
    const client = stack.use(await startChild(new URL('media-client.ts', import.meta.url)));
    const piped = { folder: folder.path, s3Url: `${s3.ready}/media` };
    const bare = stack.use(await startChild(new URL('bare/pipe.ts', import.meta.url), piped));
    const bucket = `s3://media?endpoint=${s3.ready}&accessKeyId=bench&secretAccessKey=bench`;
    return [
      ...(await measureUploads({ scale, client, bare, storage: 'disk', outside: s3.pid }, {})),
      ...(await measureUploads({ scale, client, bare, storage: 's3', outside: s3.pid }, { STORAGE_URL: bucket })),
      await measureDownload(scale),
    ];
  },
};

interface Uploads {
  scale: Scale;
  client: Child;
  bare: Child;
  storage: 'disk' | 's3';
  /** The process of the S3 server. */
  outside: number;
}

async function measureUploads(uploads: Uploads, environment: Record<string, string>): Promise<Row[]> {
  const { scale, client, bare, storage, outside } = uploads;
  const megabytes = scale.of({ full: 510, smoke: 4 });
  await using stage = await startStage({ environment });
  const user = await signUp(stage, 'mastodon');
  const draft = await aDraft(stage, user);
  const [crier] = stage.criers;
  const parties = { ...stage.parties, client: [client.pid], sandbox: [outside] };
  const rows: Row[] = [];
  // A PUT to a bucket bypasses the service.
  const ways = { ...(storage === 'disk' && { PUT: putTo }), 'process-video': videoTo };
  for (const [name, prepare] of Object.entries(ways)) {
    const grown: number[] = [];
    const upload = async (size: number, to: () => Promise<Upload>, service: number, peaks: number[]) => {
      const wanted = await to();
      const { value, shares } = await timed({ ...parties, service: [service] }, () =>
        growthOf(service, () => client.ask<number>(wanted)),
      );
      peaks.push(value.grown);
      return { figure: size / value.result, shares, counted: `${size} MB` };
    };
    const ours = (size: number) => upload(size, () => prepare(stage, user, draft, size), crier!.ready.pid, grown);
    const piped = (size: number) => upload(size, async () => pipeTo(bare, storage, size), bare.pid, []);
    const row = await compare(
      { ...scale, rounds: Math.min(3, scale.rounds) },
      {
        what: `${name} ${megabytes} MB, ${storage}`,
        unit: 'MB a second',
        ours: { warmUp: () => ours(2), measure: () => ours(megabytes) },
        against: 'bare pipe',
        ceiling: { warmUp: () => piped(2), measure: () => piped(megabytes) },
        aim: { atLeast: 0.8 },
      },
    );
    if (name === 'process-video') await requireStored(stage, user, megabytes);
    const memory = { what: `${name} ${megabytes} MB, ${storage}: memory grows by`, unit: 'MB', aim: { atMost: 64 } };
    rows.push(row, figureRow({ ...memory, figures: grown.slice(1), counted: row.counted }));
  }
  return rows;
}

async function growthOf<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; grown: number }> {
  const before = residentMegabytes(pid);
  let most = before;
  const watching = setInterval(() => {
    most = Math.max(most, residentMegabytes(pid));
  }, 20);
  try {
    const result = await work();
    return { result, grown: Math.max(most, residentMegabytes(pid)) - before };
  } finally {
    clearInterval(watching);
  }
}

async function requireStored({ pool }: Stage, { userId }: Tenant, megabytes: number) {
  const { rows } = await pool.query('select max(bytes) as bytes from media where user_id = $1', [userId]);
  requireCount('bytes stored', megabytes * megabyte, Number(rows[0].bytes));
}

const lengthOf = (megabytes: number) => ({ 'content-type': 'video/mp4', 'content-length': megabytes * megabyte });

const pipeTo = ({ ready }: Child, storage: 'disk' | 's3', megabytes: number): Upload => ({
  method: 'PUT',
  url: `${ready}/${storage}`,
  headers: lengthOf(megabytes),
  megabytes,
});

async function putTo(stage: Stage, user: Tenant, postGroupId: string, megabytes: number): Promise<Upload> {
  const file = { postGroupId, fileName: 'large.mp4', contentType: 'video/mp4' };
  const { uploadUrl } = await call<{ uploadUrl: string }>(stage, user, '/get-upload-url', file);
  return { method: 'PUT', url: uploadUrl, headers: lengthOf(megabytes), megabytes };
}

async function videoTo(stage: Stage, user: Tenant, postGroupId: string, megabytes: number): Promise<Upload> {
  const boundary = 'a-boundary-that-is-in-no-video';
  const part = (disposition: string) => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`;
  return {
    method: 'POST',
    url: `${stage.criers[0]!.ready.baseUrl}/process-video`,
    headers: { ...keyOf(user), 'content-type': `multipart/form-data; boundary=${boundary}` },
    megabytes,
    before:
      `${part('name="postGroupId"')}\r\n${postGroupId}\r\n` +
      `${part('name="video"; filename="large.mp4"')}content-type: video/mp4\r\n\r\n`,
    after: `\r\n--${boundary}--\r\n`,
  };
}

/** attach-media downloads the file itself. */
async function measureDownload(scale: Scale): Promise<Row> {
  const megabytes = scale.of({ full: downloadedMegabytes, smoke: 4 });
  const source = createServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': megabytes * megabyte });
    const piece = Buffer.alloc(megabyte);
    for (let sent = 0; sent < megabytes; sent += 1) {
      if (sent === 0) piece.write('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1');
      if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  const place = `127.0.0.1:${(source.address() as AddressInfo).port}`;
  try {
    await using stage = await startStage({ environment: { EGRESS_ALLOW: place } });
    const user = await signUp(stage, 'mastodon');
    const draft = await aDraft(stage, user);
    const file = { download_url: `http://${place}/large.mp4`, file_id: 'large' };
    await sleep(1_000);
    const { grown } = await growthOf(stage.criers[0]!.ready.pid, () =>
      call(stage, user, `/attach-media/${draft}`, { file }),
    );
    const what = `attach-media ${megabytes} MB: memory grows by`;
    return figureRow({ what, unit: 'MB', figures: [grown], aim: { atMost: 64 }, counted: `${megabytes} MB` });
  } finally {
    source.close();
  }
}

const aDraft = async (stage: Stage, user: Tenant): Promise<string> => {
  const platforms = user.connections.map(platformIdOf);
  return (await call<{ postGroupId: string }>(stage, user, '/create-post', { content: 'Large', platforms }))
    .postGroupId;
};

async function call<T>({ criers }: Stage, user: Tenant, path: string, body: object): Promise<T> {
  const response = await fetch(criers[0]!.ready.baseUrl + path, {
    method: 'POST',
    headers: { ...keyOf(user), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as T;
}
