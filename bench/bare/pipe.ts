// The ceiling for uploads: a server that pipes requests into a file, or to S3. Runs as a child process.
import { open } from 'node:fs/promises';
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export interface PipeOptions {
  folder: string;
  /** The URL of a bucket. */
  s3Url: string;
}

const { folder, s3Url }: PipeOptions = JSON.parse(process.argv[2]!);
let files = 0;
/** The server of the benchmark accepts no larger part. */
const pieceBytes = 8 * 1024 ** 2;
const agent = new Agent({ keepAlive: true });

/** Synced, like the service's own files. */
async function toDisk(source: IncomingMessage) {
  files += 1;
  const file = await open(join(folder, `piped-${files}`), 'w');
  await pipeline(source, file.createWriteStream({ flush: true }));
}

/** In parts, as large files go to S3. */
async function toS3(source: IncomingMessage) {
  files += 1;
  let [pieces, chunks, bytes]: [number, Buffer[], number] = [0, [], 0];
  const send = async () => {
    pieces += 1;
    await put(`piped-${files}-${pieces}`, Buffer.concat(chunks));
    [chunks, bytes] = [[], 0];
  };
  for await (const chunk of source as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= pieceBytes) await send();
  }
  if (bytes > 0) await send();
}

function put(key: string, body: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = { 'content-length': body.length, 'content-type': 'video/mp4' };
  const onward = httpRequest(`${s3Url}/${key}`, { method: 'PUT', headers, agent }, (answer) => {
    answer
      .resume()
      .on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`S3: ${answer.statusCode}`))));
  });
  onward.on('error', reject).end(body);
  return promise;
}

const server = createServer((request, response) => {
  (request.url === '/s3' ? toS3(request) : toDisk(request)).then(
    () => response.end(),
    (error: Error) => response.writeHead(500).end(error.message),
  );
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('disconnect', () => process.exit());
