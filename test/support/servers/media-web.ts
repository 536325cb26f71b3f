import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { anImage, aVideo } from '../files/media.ts';
import { serveCounted } from './egress.ts';

const mb = 1_048_576;
const beginnings: Record<string, string> = {
  jpeg: 'ffd8ffe000104a46494600010100',
  mp4: '00000018667479706d703432000000006d70343269736f6d',
};

export type MediaWeb = Awaited<ReturnType<typeof mediaWeb>>;

/** A web site with media, some of it downloadable. `EGRESS_ALLOW` must name its `place`. `await using` closes it. */
export async function mediaWeb() {
  const { bytes: image } = await anImage({ type: 'png' });
  const asked: string[] = [];
  const silent: ServerResponse[] = [];

  function answer({ url = '' }: IncomingMessage, response: ServerResponse) {
    asked.push(url);
    const { pathname, searchParams } = new URL(url, 'http://web');
    const [, what = '', detail = ''] = pathname.split('/');
    const head = (status: number, headers = {}) => response.writeHead(status, headers).end();
    if (what === 'picture') return response.end(image);
    if (what === 'video') return response.end(aVideo().bytes);
    if (what === 'text') return response.end(`<!doctype html>${' '.repeat(Number(detail))}`);
    if (what === 'half') return response.end(image.subarray(0, 100));
    if (what === 'empty') return response.end();
    if (what === 'status') return head(Number(detail));
    if (what === 'to') return head(302, { location: searchParams.get('url') });
    if (what === 'again')
      return head(302, { location: detail === '1' ? '/picture/a' : `/again/${Number(detail) - 1}` });
    if (what === 'nowhere') return head(302);
    if (what === 'cut') return response.write(image.subarray(0, 50), () => response.destroy());
    if (what === 'silent') return silent.push(response) && response.write(image.subarray(0, 50));
    if (what === 'declared') return response.writeHead(200, { 'content-length': Number(detail) }).write(image);
    if (what === 'large') return sendLarge(response, searchParams.get('as') ?? 'jpeg', Number(detail) * mb);
    return head(404);
  }
  const server = await serveCounted(answer);
  const breakSilence = () => {
    for (const response of silent.splice(0)) response.destroy();
  };
  return { ...server, image, asked, breakSilence, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}

/** Starts like a file of that format and continues with zeros, as fast as the client reads. */
function sendLarge(response: ServerResponse, format: string, size: number) {
  function* parts() {
    yield Buffer.from(beginnings[format]!, 'hex');
    const zeros = Buffer.alloc(mb);
    for (let sent = 0; sent < size; sent += mb) yield zeros;
  }
  return Readable.from(parts()).pipe(response);
}
