import type { App } from '../../../app.ts';
import type { EgressCode } from '../../../foundation/egress/egress-error.ts';
import { EgressError } from '../../../foundation/egress/egress-error.ts';
import { StorageError } from '../../../foundation/storage/storage.ts';
import { cleanFileName, type MediaType, storageKey } from '../../../foundation/storage/storage-key.ts';
import { inspect } from '../inspection/inspect.ts';
import { type FileType, InspectionError } from '../inspection/inspection.ts';
import { type StoredMetadata, storedMetadata } from '../metadata.ts';
import { stageFile } from '../storing/staged-file.ts';
import { sourceOf } from '../storing/verify-upload.ts';
import { headBytes, peekStream, typeOfHead } from './peek-stream.ts';

const mb = 1_048_576;
export const maxRequestBytes = 300 * mb;
const maxBytes: Partial<Record<MediaType, number>> = { image: 25 * mb, video: 150 * mb };
const formats = new Set(['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif', 'mp4', 'mov', 'webm']);

/** A file in storage that no record refers to yet. */
export interface Download {
  key: string;
  type: MediaType;
  mimeType: string;
  fileName: string;
  metadata: StoredMetadata;
  objectVersion: string;
}

/** Why a URL could not be fetched, with an error code of the contract. */
export class DownloadError extends Error {
  override name = 'DownloadError';
  readonly code: string;
  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export interface DownloadOptions {
  /** The name of the file. Defaults to the last part of the path, with an extension. */
  fileName?: string | undefined;
  place: number;
  /** Files of an owner and all managed users are checked in the same turns. */
  ownerId: string;
  signal: AbortSignal;
  /** Counts received bytes. Throws when the request exceeds its limit. */
  count(bytes: number): void;
}

/** Streams the file at the URL into storage and inspects it. Throws DownloadError. */
export async function download(
  app: Pick<App, 'db' | 'clock' | 'storage' | 'egress'>,
  url: string,
  options: DownloadOptions,
): Promise<Download> {
  try {
    const response = await app.egress.request(url, {
      signal: options.signal,
      timeoutMs: 120_000,
      maxBytes: maxBytes.video! + 1,
    });
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel();
      throw new DownloadError('MEDIA_URL_HTTP_ERROR', `Fetching ${url} returned HTTP ${response.status}`);
    }
    return await store(app, url, counted(response.body, options.count), options);
  } catch (error) {
    throw explain(error, options.signal);
  }
}

async function store(
  app: Pick<App, 'db' | 'clock' | 'storage' | 'egress'>,
  url: string,
  body: AsyncIterable<Uint8Array>,
  { fileName, place, ownerId }: DownloadOptions,
): Promise<Download> {
  const { head, whole } = await peekStream(body, headBytes);
  const { kind, mimeType, format } = await typeOf(head);
  const limit = maxBytes[kind];
  if (!limit || !formats.has(format)) throw unsupported(`${format.toUpperCase()} files are not accepted from a URL.`);
  const name = fileName ?? named(nameIn(url), format);
  // Some platforms that fetch a file rely on the extension in its URL.
  const key = storageKey(kind, named(name, format), app.clock.now(), place);
  const file = await stageFile(app, key, whole, { contentType: mimeType, maxBytes: limit }).catch((error) => {
    if (!(error instanceof StorageError) || error.kind !== 'too_large') throw error;
    throw new DownloadError('MEDIA_URL_TOO_LARGE', `The ${kind} is larger than ${limit / mb} MB.`);
  });
  try {
    const inspection = await inspect(sourceOf(app.storage, ownerId, key, file.stored));
    return {
      key,
      type: inspection.kind,
      mimeType: inspection.mimeType,
      fileName: name,
      metadata: storedMetadata(inspection),
      objectVersion: file.stored.version,
    };
  } catch (error) {
    await file[Symbol.asyncDispose]();
    throw error;
  }
}

function typeOf(head: Uint8Array): Promise<FileType> {
  return typeOfHead(head).catch((error) => {
    throw error instanceof InspectionError ? unsupported(error.message) : error;
  });
}

const unsupported = (message: string) => new DownloadError('MEDIA_URL_UNSUPPORTED_FORMAT', message);

const named = (name: string, format: string) => (/\.[A-Za-z0-9]{2,5}$/.test(name) ? name : `${name}.${format}`);

function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return cleanFileName(decode(last)) || 'media';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function* counted(body: AsyncIterable<Uint8Array>, count: (bytes: number) => void) {
  for await (const chunk of body) {
    count(chunk.byteLength);
    yield chunk;
  }
}

const egressCodes: Record<EgressCode, string> = {
  invalid_url: 'MEDIA_URL_INVALID',
  protocol: 'MEDIA_URL_PROTOCOL',
  credentials: 'MEDIA_URL_CREDENTIALS',
  port: 'MEDIA_URL_PORT',
  blocked_host: 'MEDIA_URL_BLOCKED_HOST',
  dns: 'MEDIA_URL_DNS',
  redirect: 'MEDIA_URL_REDIRECT',
  too_many_redirects: 'MEDIA_URL_TOO_MANY_REDIRECTS',
  timeout: 'MEDIA_URL_FETCH_FAILED',
  too_large: 'MEDIA_URL_TOO_LARGE',
  failed: 'MEDIA_URL_FETCH_FAILED',
};

/** The contract's error. Storage and database failures are returned unchanged. */
export function explain(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof DownloadError) return error;
  if (signal.aborted && signal.reason instanceof DownloadError) return signal.reason;
  if (error instanceof EgressError) {
    const message =
      error.code === 'protocol' ? error.message.replace('URLs', 'media URLs').replace(/\.$/, '') : error.message;
    return new DownloadError(egressCodes[error.code], message);
  }
  if (error instanceof InspectionError) return new DownloadError(error.code, error.message);
  return error;
}
