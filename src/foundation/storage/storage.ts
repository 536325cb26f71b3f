import type { Readable } from 'node:stream';

/** Where files are kept. */
export type StorageConfig =
  | Readonly<{ kind: 'disk'; folder: string }>
  | Readonly<{
      kind: 's3';
      bucket: string;
      region: string;
      /** The URL of a server other than AWS. */
      endpoint: string | null;
      /** Null: use AWS's default credential chain. */
      credentials: { accessKeyId: string; secretAccessKey: string } | null;
      /** The URL at which anyone can read the bucket, if there is one. */
      publicUrl: string | null;
    }>;

/**
 * Stores media. Keys come from `storageKey`, are stored in the database, and are never taken from a request unchecked.
 */
export interface Storage {
  /** A URL for one kind of request: an HTTP PUT of at most 5 GB with exactly this `Content-Type`. */
  uploadUrl(key: string, options: { contentType: string; expiresAt: Date }): Promise<string>;
  /** A URL at which anyone can read the object while it exists. */
  publicUrl(key: string): string;
  /**
   * A short-lived URL without redirects, for platforms that fetch media themselves. The file is served with the headers
   * of this type, whatever type it was uploaded with.
   */
  signedUrl(key: string, options: { contentType: string; expiresInSeconds: number }): Promise<string>;
  /** The object becomes visible once it is complete. A write that fails or exceeds `maxBytes` leaves nothing behind. */
  write(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<{ bytes: number }>;
  stat(key: string): Promise<StoredObject | null>;
  /** Reads a range of the object, clamped to its end. */
  read(key: string, options?: ReadOptions): Promise<Readable>;
  /**
   * The whole object as a Blob on this machine's disk, for sending it to a platform: `await using file = …`. Throws
   * `full` if the disk has no space for a copy.
   */
  file(key: string): Promise<StoredFile>;
  /** An object that does not exist counts as removed. */
  remove(keys: readonly string[]): Promise<void>;
  /** Whether files can be stored and read now. Asks the storage each time, for a few seconds at most. */
  check(): Promise<StorageHealth>;
  /** Removes leftovers of writes by killed processes. Returns how many. */
  removeAbandoned(): Promise<number>;
  /** Present if files pass through this service; otherwise clients use the storage directly. */
  readonly served?: ServedFiles;
}

/** `mistaken`: the configuration is wrong, so waiting does not help. */
export type StorageHealth = { ok: true; detail: string } | { ok: false; mistaken: boolean; detail: string };

export interface WriteOptions {
  contentType: string;
  maxBytes?: number;
}

/** As in `Blob.slice`: from `start` up to but not including `end`. */
export interface ReadOptions {
  start?: number;
  end?: number;
  /** Throws `changed` if the object has another version. */
  version?: string;
}

export interface StoredObject {
  readonly bytes: number;
  readonly contentType: string;
  /** Differs if the bytes differ. */
  readonly version: string;
}

export interface StoredFile extends AsyncDisposable {
  /** Slice it to upload in chunks. Reading fails if the object has changed. */
  readonly blob: Blob;
}

/** Used by the routes of this service to receive and send files. */
export interface ServedFiles {
  /** Whether a PUT to this URL is allowed, and with which type. */
  admit(key: string, query: URLSearchParams): { contentType: string } | { refusal: string };
  /** Like `write`, but throws `exists` if there is an object: an upload URL works once. */
  receive(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<{ bytes: number }>;
  /** All reads return the same version, even if the object is replaced. */
  open(key: string): Promise<OpenFile | null>;
}

export interface OpenFile extends StoredObject, AsyncDisposable {
  /** Closes the file at its end. */
  stream(range?: { start: number; end: number }): Readable;
}

export type StorageErrorKind = 'missing' | 'changed' | 'exists' | 'too_large' | 'full' | 'unavailable';

/** A failure of the storage. Errors from the source of a write are rethrown unchanged. */
export class StorageError extends Error {
  override name = 'StorageError';
  readonly kind: StorageErrorKind;
  constructor(kind: StorageErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
  /** The error code of a request that fails because of it. */
  get code() {
    return this.kind === 'full' ? 'NO_ROOM' : 'STORAGE_UNAVAILABLE';
  }
}

/** For `.catch()`: turns an error of the storage client into a StorageError. */
export function storageUnavailable(error: Error): never {
  throw new StorageError('unavailable', `The storage operation failed: ${error.name}: ${error.message}`, error);
}

/** Whether an error of the file system means that there is no space left. */
export const isDiskFull = (error: unknown) =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');

/** The largest single PUT, as on S3. */
export const maxUploadBytes = 5 * 1024 ** 3;

/** Yields the bytes, and throws when there are too many. */
export async function* limited(source: AsyncIterable<Uint8Array>, maxBytes: number) {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new StorageError('too_large', `More than ${maxBytes} bytes.`);
    yield chunk;
  }
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const mediaType = new RegExp(`^${token}/${token}( ?; ?${token}=(${token}|"[\\w !#-\\[\\]-~]*"))*$`);

/** Whether this is a valid `Content-Type` header. */
export function isContentType(text: string): boolean {
  return text.length <= 255 && mediaType.test(text);
}

export function assertContentType(text: string) {
  if (!isContentType(text)) throw new Error(`Not a content type: ${JSON.stringify(text)}`);
}
