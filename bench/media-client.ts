// Sends one large file, in a separate process.
import { request } from 'node:http';

export interface Upload {
  method: 'PUT' | 'POST';
  url: string;
  headers: Record<string, string | number>;
  megabytes: number;
  /** The parts of a form before and after the file. */
  before?: string;
  after?: string;
}

const megabyte = 1024 ** 2;
const piece = Buffer.alloc(megabyte / 4);
/** The start of an MP4, followed by zeros. */
const head = Buffer.alloc(megabyte / 4);
head.write('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1');

/** Returns the seconds until the response. */
function send({ method, url, headers, megabytes, before = '', after = '' }: Upload): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers }, async (response) => {
      const text = (await response.toArray()).join('');
      if (response.statusCode === 200) resolve((performance.now() - began) / 1000);
      else reject(new Error(`${method} ${url} answered ${response.statusCode}: ${text}`));
    });
    outgoing.on('error', reject);
    pour(outgoing, megabytes, before, after).catch(reject);
  });
}

async function pour(outgoing: NodeJS.WritableStream, megabytes: number, before: string, after: string) {
  if (before) outgoing.write(before);
  for (let sent = 0; sent < megabytes * 4; sent += 1) {
    if (!outgoing.write(sent === 0 ? head : piece)) await new Promise((resolve) => outgoing.once('drain', resolve));
  }
  outgoing.end(after);
}

process.on('message', (upload: Upload) => {
  send(upload).then(
    (seconds) => process.send?.({ result: seconds }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
