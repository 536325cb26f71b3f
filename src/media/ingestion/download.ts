import type { App } from '../../app.ts';
import type { EgressCode } from '../../egress/egress-error.ts';
import { EgressError } from '../../egress/egress-error.ts';
import { type StoredMetadata, storedMetadata } from '../facts.ts';
import { openBytes } from '../inspection/bytes.ts';
import { detectType } from '../inspection/detect-type.ts';
import { inspect } from '../inspection/inspect.ts';
import { type FileType, InspectionError } from '../inspection/inspection.ts';
import { announceFile } from '../queries.ts';
import { sourceOf } from '../settle.ts';
import { StorageError } from '../storage/storage.ts';
import { type MediaType, storageKey } from '../storage/storage-key.ts';
import { withHead } from './with-head.ts';

const mb = 1_048_576;
export const maxRequestBytes = 300 * mb;
const maxBytes: Partial<Record<MediaType, number>> = { image: 25 * mb, video: 150 * mb };
const formats = new Set(['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif', 'mp4', 'mov', 'webm']);
/** If no record ever names the file, for we died, it is removed then. */
const orphanedAfterMs = 3_600_000;

/** A file in storage that no record names yet. */
export interface Download {
  key: string;
  type: MediaType;
  mimeType: string;
  fileName: string;
  metadata: StoredMetadata;
  objectVersion: string;
}

/** Why an address gave no file; the code is one of the contract's. */
export class DownloadError extends Error {
  override name = 'DownloadError';
  readonly code: string;
  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export interface DownloadOptions {
  /** As the file is to be called. */
  fileName: string;
  place: number;
  signal: AbortSignal;
  /** Counts bytes that arrive; throws when there are too many for the request. */
  count(bytes: number): void;
}

type Needs = Pick<App, 'db' | 'clock' | 'storage' | 'egress'>;

/** Streams what is at the address into storage and looks at it. Fails with DownloadError. */
export async function download(app: Needs, url: string, options: DownloadOptions): Promise<Download> {
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
    return await store(app, counted(response.body, options.count), options);
  } catch (error) {
    throw explain(error, options.signal);
  }
}

async function store(app: Needs, body: AsyncIterable<Uint8Array>, { fileName, place }: DownloadOptions) {
  const { head, whole } = await withHead(body, 4_096);
  const { kind, mimeType, format } = await typeOf(head);
  const limit = maxBytes[kind];
  if (!limit || !formats.has(format)) throw unsupported(`${format.toUpperCase()} files are not accepted from a URL.`);
  const now = app.clock.now();
  const name = named(fileName, format);
  const key = storageKey(kind, name, now, place);
  await announceFile(app.db, key, new Date(now.getTime() + orphanedAfterMs));
  await app.storage.write(key, whole, { contentType: mimeType, maxBytes: limit }).catch((error) => {
    if (!(error instanceof StorageError) || error.kind !== 'too_large') throw error;
    throw new DownloadError('MEDIA_URL_TOO_LARGE', `The ${kind} is larger than ${limit / mb} MB.`);
  });
  const found = await app.storage.stat(key);
  if (!found) throw new StorageError('missing', 'The file is gone right after it was written.');
  const inspection = await inspect(sourceOf(app.storage, key, found));
  return {
    key,
    type: inspection.kind,
    mimeType: inspection.mimeType,
    fileName: name,
    metadata: storedMetadata(inspection),
    objectVersion: found.version,
  };
}

/** By its first bytes, before anything is kept. */
async function typeOf(head: Uint8Array): Promise<FileType> {
  const source = { size: head.length, read: async (start: number, end: number) => head.slice(start, end) };
  try {
    return await detectType(openBytes(source, AbortSignal.timeout(5_000)));
  } catch (error) {
    if (error instanceof InspectionError) throw unsupported(error.message);
    throw error;
  }
}

const unsupported = (message: string) => new DownloadError('MEDIA_URL_UNSUPPORTED_FORMAT', message);

const named = (name: string, format: string) => (/\.[A-Za-z0-9]{2,5}$/.test(name) ? name : `${name}.${format}`);

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

/** As the contract words it; our own trouble with storage or database passes through. */
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
