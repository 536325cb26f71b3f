import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { pageForPerson } from '../../foundation/http/answers/not-found.ts';
import type { Server } from '../../foundation/http/server.ts';
import { byteRange } from '../../foundation/storage/byte-range.ts';
import { servedType } from '../../foundation/storage/served-type.ts';
import {
  maxUploadBytes,
  type ServedFiles,
  type Storage,
  StorageError,
  type StoredObject,
} from '../../foundation/storage/storage.ts';
import { isStorageKey } from '../../foundation/storage/storage-key.ts';
import { PlatformError } from '../../platforms/kit/index.ts';
import { recordedType } from './queries.ts';
import type { OutgoingFile } from './renditions/renditions.ts';
import { shownImage } from './renditions/shown-image.ts';
import { type Receiving, receive } from './storing/receiving.ts';

/** How long a redirect to the storage is valid. Browsers may cache it for half of that time. */
const redirectSeconds = 3600;

/** A file is served while its record exists. An upload is accepted once, while the record expects it. */
export const mediaFileRoutes = (server: Server, app: Pick<App, 'storage' | 'db' | 'clock' | 'log'>) =>
  fileRoutes(server, {
    storage: app.storage,
    recordedType: (key) => recordedType(app.db, key),
    image: (key, isThumbnail) => shownImage(app, key, isThumbnail),
    receive: (key, bytes) => receive(app, key, bytes),
  });

interface Files {
  storage: Storage;
  /** The content type of the file. Null if it was deleted. */
  recordedType(key: string): Promise<string | null>;
  /** The file that is served instead of an image. Null for everything else, which is served unchanged. */
  image?(key: string, isThumbnail: boolean): Promise<Pick<OutgoingFile, 'key' | 'mimeType'> | null>;
  /** Counts an upload while it is received. Null if no file is expected. Throws if it exceeds the quota. */
  receive(key: string, bytes: number): Promise<Receiving | null>;
}

interface Wanted {
  key: string;
  type: string;
}

/**
 * Serves stored files to browsers and networks, under keys that cannot be guessed. Storage with its own URLs (S3)
 * receives uploads directly, and readers are redirected to it.
 */
export function fileRoutes(server: Server, files: Files) {
  const { storage } = files;
  const { served } = storage;
  server.register(async (scope) => {
    scope.route({
      method: ['GET', 'HEAD'],
      url: '/media/*',
      schema: { hide: true },
      config: { quiet: true, cors: { origin: '*' } },
      handler: async (request, reply) => {
        const key = keyIn(request, '/media/');
        const type = key && (await files.recordedType(key));
        if (!type) return notFound(request, reply);
        const image = await files.image?.(key, isThumbnail(request)).catch(unlessUnshowable);
        if (image === 'gone') return notFound(request, reply);
        if (image === 'unshowable') return refuse(reply, 422, 'The image cannot be served without its metadata');
        const wanted = image ? { key: image.key, type: image.mimeType } : { key, type };
        return served ? sendFile(served, wanted, request, reply) : sendOn(storage, wanted, request, reply);
      },
    });
    if (served) uploadRoutes(scope as unknown as Server, files, served);
  });
}

/** The record's file is gone or was replaced, or cannot be decoded here. The original is not shown instead. */
function unlessUnshowable(error: unknown) {
  if (error instanceof PlatformError) return 'unshowable' as const;
  if (error instanceof StorageError && (error.kind === 'missing' || error.kind === 'changed')) return 'gone' as const;
  throw error;
}

/** The signed URL is the permission: it allows the upload from any page and without a session. */
function uploadRoutes(server: Server, files: Files, served: ServedFiles) {
  // No parser reads the body: the handler streams it.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const options = {
    schema: { hide: true },
    config: {
      upload: true,
      cors: { origin: '*', methods: ['PUT'], allowedHeaders: ['content-type'], exposedHeaders: ['etag'] },
    },
  };
  // The CORS plugin responds to this request, but it needs a route to read its settings from.
  server.options('/media/upload/*', options, (_, reply) => reply.code(204).send());
  server.put('/media/upload/*', options, (request, reply) => receiveFile(files, served, request, reply));
}

async function receiveFile(
  { storage, receive }: Files,
  served: ServedFiles,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const key = keyIn(request, '/media/upload/');
  if (!key) return notFound(request, reply);
  const admitted = served.admit(key, new URLSearchParams(request.url.split('?')[1]));
  if ('refusal' in admitted) return forbidden(request, reply, admitted.refusal);
  const { contentType } = admitted;
  if (request.headers['content-type'] !== contentType) {
    const refusal = `Content-Type must be ${contentType}: the upload URL was created for that type`;
    return forbidden(request, reply, refusal);
  }
  if (request.headers['content-length'] === undefined) return refuse(reply, 411, 'Content-Length is required');
  const bytes = Number(request.headers['content-length']);
  if (bytes > maxUploadBytes) return refuse(reply, 413, 'Files can be at most 5 GB');
  if (await storage.stat(key)) return taken(reply);
  const receiving = await receive(key, bytes);
  if (!receiving) return deleted(reply);
  // Keep the request open at its end, so that an error can still be sent.
  const body = request.raw.iterator({ destroyOnReturn: false });
  try {
    await served.receive(key, body, { contentType });
  } catch (error) {
    await receiving.end().catch((err) => request.log.warn({ err, key }, 'the end of an upload could not be recorded'));
    return error instanceof StorageError && error.kind === 'exists' ? taken(reply) : explain(error, request, reply);
  }
  if (await receiving.end()) return reply.header('etag', etagOf(await storage.stat(key))).send();
  await storage.remove([key]);
  return deleted(reply);
}

function explain(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (request.raw.destroyed && !request.raw.complete) {
    request.log.info('the client aborted an upload');
    return reply.hijack();
  }
  // Clients read the response only after they have sent everything.
  request.raw.resume();
  throw error;
}

async function sendFile(served: ServedFiles, wanted: Wanted, request: FastifyRequest, reply: FastifyReply) {
  const file = await served.open(wanted.key);
  if (!file) return notFound(request, reply);
  const etag = etagOf(file);
  describe(reply, wanted, etag);
  const { range: rangeHeader, 'if-range': ifRange } = request.headers;
  const asked = ifRange === undefined || ifRange === etag ? byteRange(rangeHeader, file.bytes) : 'whole';

  const known = isKnown(request.headers['if-none-match'], etag);
  if (known || asked === 'unsatisfiable' || request.method === 'HEAD') await file[Symbol.asyncDispose]();
  if (known) return reply.code(304).send();
  if (asked === 'unsatisfiable') {
    reply.removeHeader('content-disposition').removeHeader('etag').header('content-range', `bytes */${file.bytes}`);
    return refuse(reply, 416, `The file has ${file.bytes} bytes`);
  }
  const range = asked === 'whole' ? { start: 0, end: file.bytes } : asked;
  if (asked !== 'whole') {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${file.bytes}`);
  }
  reply.header('content-length', range.end - range.start);
  return reply.send(request.method === 'HEAD' ? null : file.stream(range));
}

/** Responds to HEAD here, because a URL signed for GET does not work for HEAD. */
async function sendOn(storage: Storage, wanted: Wanted, request: FastifyRequest, reply: FastifyReply) {
  const { key, type: contentType } = wanted;
  const found = await storage.stat(key);
  if (!found) return notFound(request, reply);
  if (request.method === 'HEAD') {
    return describe(reply, wanted, etagOf(found)).header('content-length', found.bytes).send(null);
  }
  const address = await storage.signedUrl(key, { contentType, expiresInSeconds: redirectSeconds });
  return reply
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('cache-control', `public, max-age=${redirectSeconds / 2}`)
    .redirect(address, 302);
}

/** Browsers show images, videos and PDFs, download every other type, and run no scripts of any file. */
function describe(reply: FastifyReply, { key, type }: Wanted, etag: string) {
  const { contentType, contentDisposition } = servedType(key, type);
  return reply
    .header('content-type', contentType)
    .header('content-disposition', contentDisposition)
    .header('content-security-policy', "sandbox; default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('accept-ranges', 'bytes')
    .header('etag', etag);
}

/** S3's versions are already in quotes. */
function etagOf(found: StoredObject | null): string {
  return `"${found?.version.replaceAll('"', '') ?? ''}"`;
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((given) => ['*', etag].includes(given.trim().replace(/^W\//, '')));
}

/** Read from the raw path: keys need no percent-encoding, so an encoded path is not a key. */
function keyIn(request: FastifyRequest, prefix: string): string | null {
  const key = request.url.split('?')[0]!.slice(prefix.length);
  return isStorageKey(key) ? key : null;
}

const isThumbnail = ({ url }: FastifyRequest) => new URLSearchParams(url.split('?')[1]).has('thumbnail');

const deleted = (reply: FastifyReply) => refuse(reply, 410, 'The file of this URL was deleted or rejected');

const taken = (reply: FastifyReply) =>
  refuse(reply, 409, 'A file was already uploaded to this URL: request a new upload URL for another file');

/** Those who guess keys and signatures are limited like those who guess credentials. */
async function notFound(request: FastifyRequest, reply: FastifyReply) {
  await request.countRefusal(reply);
  const page = pageForPerson(request);
  return page ? page(reply.code(404)) : refuse(reply, 404, 'File not found');
}

async function forbidden(request: FastifyRequest, reply: FastifyReply, error: string) {
  await request.countRefusal(reply);
  return refuse(reply, 403, error);
}

const codes: Readonly<Record<number, string>> = {
  403: 'UPLOAD_REFUSED',
  404: 'FILE_NOT_FOUND',
  409: 'FILE_ALREADY_UPLOADED',
  411: 'LENGTH_REQUIRED',
  413: 'FILE_TOO_LARGE',
  416: 'RANGE_NOT_SATISFIABLE',
  422: 'IMAGE_UNCONVERTIBLE',
  507: 'STORAGE_FULL',
};

function refuse(reply: FastifyReply, status: number, error: string) {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send({ error, code: codes[status] ?? 'FILE_REFUSED', requestId: reply.request.id });
}
