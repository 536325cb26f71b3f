import { createHash, createHmac } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFauxqs } from 'fauxqs';
import type { Bucket } from '../../../src/foundation/storage/s3.ts';
import { systemClock } from '../../../src/foundation/time/clock.ts';

/**
 * An S3 server for tests. A proxy in front adds features that the server lacks: it checks signatures as AWS documents
 * them (Signature Version 4), rejects DeleteObjects without `Content-MD5` as OpenStack Swift does, sets the headers
 * that a signed URL asks for, and lists multipart uploads. It can also fail on purpose.
 */
export interface S3TestServer extends AsyncDisposable {
  readonly bucket: Bucket;
  /** The received requests, without signatures: `PUT /media/images/…?partNumber=1`. */
  readonly requests: string[];
  /** Keys of the current objects, in order. */
  keys(): Promise<string[]>;
  /** Keys of multipart uploads that were neither completed nor aborted. */
  openUploads(): string[];
  /** Fails with this status or cuts the connection, this many times or permanently; null: works again. */
  fail(how: number | 'cut' | null, times?: number): void;
  /** Moves the server's clock forward. */
  advance(seconds: number): void;
}

/** 404 for everything means that the bucket is gone. */
const failureCodes: Record<number, string> = { 403: 'AccessDenied', 404: 'NoSuchBucket' };
const credentials = { accessKeyId: 'crier', secretAccessKey: 'kept+secret/by=the test' };

export async function startS3(): Promise<S3TestServer> {
  const s3 = await startFauxqs({ port: 0, logger: false });
  s3.createBucket('media');
  const requests: string[] = [];
  const uploads = new Map<string, Upload>();
  let failure: number | 'cut' | null = null;
  let failures = 0;
  let aheadMs = 0;

  const gate = createServer((request, response) => {
    requests.push(`${request.method} ${withoutSignature(request.url!)}`);
    if (failure !== null && failures > 0) {
      failures -= 1;
      return failure === 'cut'
        ? request.socket.destroy()
        : answer(request, response, failure, failureCodes[failure] ?? 'InternalError');
    }
    const refusal = refusalOf(request, systemClock.now().getTime() + aheadMs);
    if (refusal) return answer(request, response, 403, refusal);
    const { method, url, headers } = request;
    const { pathname, searchParams } = new URL(url!, 'http://gate');
    const isDeletion = method === 'POST' && searchParams.has('delete');
    if (isDeletion && !headers['content-md5']) return answer(request, response, 400, 'InvalidRequest');
    const isListing = method === 'GET' && searchParams.has('uploads') && pathname.startsWith('/media');
    if (isListing) return listUploads(response, uploads, searchParams);
    const onward = httpRequest({ host: '127.0.0.1', port: s3.port, method, path: url, headers }, (answered) => {
      response.writeHead(answered.statusCode!, { ...answered.headers, ...forcedHeaders(method, searchParams) });
      if (searchParams.has('uploads')) answered.on('data', (xml: Buffer) => begin(uploads, pathname, String(xml)));
      else if (/^(POST|DELETE)$/.test(method!)) uploads.delete(searchParams.get('uploadId') ?? '');
      answered.pipe(response);
    });
    request.on('close', () => request.complete || onward.destroy());
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  return {
    bucket: { kind: 's3', bucket: 'media', region: 'eu-central-1', endpoint, credentials, publicUrl: null },
    requests,
    async keys() {
      // Bypasses the proxy, because this is not a request of the service.
      const listing = await (await fetch(`http://127.0.0.1:${s3.port}/media?list-type=2`)).text();
      if (listing.includes('<IsTruncated>true')) throw new Error('There are more objects than one listing holds.');
      return [...listing.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key).sort();
    },
    openUploads: () => [...uploads.values()].map(({ key }) => key),
    fail(how, times = Number.POSITIVE_INFINITY) {
      failure = how;
      failures = times;
    },
    advance(seconds) {
      aheadMs += seconds * 1000;
    },
    async [Symbol.asyncDispose]() {
      gate.closeAllConnections();
      await new Promise((resolve) => gate.close(resolve));
      await s3.stop();
    },
  };
}

/** The headers of GetObject that the URL overrides (`response-content-type=…`). */
function forcedHeaders(method = '', asked: URLSearchParams): Record<string, string> {
  if (method !== 'GET') return {};
  const forced = [...asked].filter(([name]) => name.startsWith('response-'));
  return Object.fromEntries(forced.map(([name, value]) => [name.replace('response-', ''), value]));
}

interface Upload {
  key: string;
  begun: Date;
}

function begin(uploads: Map<string, Upload>, path: string, xml: string) {
  const [, id = ''] = /<UploadId>([^<]*)<\/UploadId>/.exec(xml) ?? [];
  uploads.set(id, { key: path.replace(/^\/\w+\//, ''), begun: systemClock.now() });
}

/** One upload per page, so that every client must request the next page. */
function listUploads(response: ServerResponse, uploads: Map<string, Upload>, asked: URLSearchParams) {
  const all = [...uploads].sort(([, one], [, other]) => (one.key < other.key ? -1 : 1));
  const after = all.findIndex(([id]) => id === asked.get('upload-id-marker'));
  const [[id, upload] = [], ...rest] = all.filter(([, { key }], place) =>
    after === -1 ? key > (asked.get('key-marker') ?? '') : place > after,
  );
  const tag = (name: string, text: string | boolean = '') => `<${name}>${text}</${name}>`;
  const listed = upload && tag('Key', upload.key) + tag('UploadId', id) + tag('Initiated', upload.begun.toISOString());
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>` +
      tag(
        'ListMultipartUploadsResult',
        (listed ? tag('Upload', listed) : '') +
          tag('IsTruncated', rest.length > 0) +
          (rest.length > 0 ? tag('NextKeyMarker', upload?.key) + tag('NextUploadIdMarker', id) : ''),
      ),
  );
}

function answer(request: IncomingMessage, response: ServerResponse, status: number, code: string) {
  request.resume();
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>On purpose</Message></Error>`,
  );
}

/** From the URL or from the `Authorization` header. */
function refusalOf(request: IncomingMessage, nowMs: number): string | null {
  const [path, query = ''] = request.url!.split('?') as [string, string?];
  const parameters = new URLSearchParams(query);
  const presigned = parameters.has('X-Amz-Signature');
  const header = request.headers.authorization ?? '';
  const part = (name: string) => new RegExp(`${name}=([^, ]+)`).exec(header)?.[1] ?? '';
  const of = (name: string) => (presigned ? (parameters.get(`X-Amz-${name}`) ?? '') : part(name));

  const [accessKeyId, day, region, service] = of('Credential').split('/');
  if (accessKeyId !== credentials.accessKeyId) return 'InvalidAccessKeyId';
  const signedHeaders = of('SignedHeaders').split(';');
  const time = presigned ? of('Date') : String(request.headers['x-amz-date']);
  const canonical = [
    request.method,
    path,
    canonicalQuery(query),
    ...signedHeaders.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    signedHeaders.join(';'),
    presigned ? 'UNSIGNED-PAYLOAD' : request.headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = [day, region, service, 'aws4_request'];
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>(
    (secret, word) => hmac(secret, word!),
    `AWS4${credentials.secretAccessKey}`,
  );
  if (hmac(key, text).toString('hex') !== of('Signature')) return 'SignatureDoesNotMatch';
  const expired = presigned && nowMs > startOf(time) + Number(of('Expires')) * 1000;
  return expired ? 'AccessDenied' : null;
}

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&');
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** `20261115T044914Z` */
function startOf(time: string): number {
  return Date.parse(time.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));
}

function withoutSignature(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://gate');
  for (const name of [...searchParams.keys()]) if (/^(X-Amz-|x-id|uploadId)/.test(name)) searchParams.delete(name);
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname;
}
