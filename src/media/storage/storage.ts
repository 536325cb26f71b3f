import type { Readable } from 'node:stream';

/** Where media is kept. Keys are made by `storageKey`, kept in the database, and never taken from a request unchecked. */
export interface Storage {
  /** An address for one kind of request: an HTTP PUT of at most 5 GB with exactly this `Content-Type`. */
  uploadUrl(key: string, options: { contentType: string; expiresAt: Date }): Promise<string>;
  /** Where everybody can read the object, for as long as it is there. */
  publicUrl(key: string): string;
  /** A short-lived address, without redirects, for networks that fetch media themselves. */
  signedUrl(key: string, expiresInSeconds: number): Promise<string>;
  /** Nothing is visible before all of it is there, and nothing is left of what breaks off or grows beyond `maxBytes`. */
  write(key: string, source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<{ bytes: number }>;
  stat(key: string): Promise<StoredObject | null>;
  /** Read by range to look into a file; what lies beyond its end is left out. */
  read(key: string, options?: ReadOptions): Promise<Readable>;
  /** The whole object as a Blob on this machine's disk, to send it to a network: `await using file = …`. */
  file(key: string): Promise<StoredFile>;
  /** What is not there counts as removed. */
  remove(keys: readonly string[]): Promise<void>;
  /** Only where the bytes pass through this service; otherwise clients talk to the storage itself. */
  readonly served?: ServedFiles;
}

export interface WriteOptions {
  contentType: string;
  maxBytes?: number;
}

/** As in `Blob.slice`: from `start` up to but not including `end`. */
export interface ReadOptions {
  start?: number;
  end?: number;
  /** Fails as `changed` if the object is no longer this one. */
  version?: string;
}

export interface StoredObject {
  readonly bytes: number;
  readonly contentType: string;
  /** Another one when the bytes are others. */
  readonly version: string;
}

export interface StoredFile extends AsyncDisposable {
  /** Slice it to upload in chunks. Reading fails if the object changes meanwhile. */
  readonly blob: Blob;
}

/** What the routes of this service need to receive and to hand out files. */
export interface ServedFiles {
  /** Whether a PUT to this address is allowed, and of what type. */
  admit(key: string, query: URLSearchParams): { contentType: string } | { refusal: string };
  /** One and the same version for all that follows, even if it is replaced meanwhile. */
  open(key: string): Promise<OpenFile | null>;
}

export interface OpenFile extends StoredObject, AsyncDisposable {
  /** Closes the file at its end. */
  stream(range?: { start: number; end: number }): Readable;
}

export type StorageTrouble = 'missing' | 'changed' | 'too_large' | 'full' | 'unavailable';

/** What can go wrong with a storage. Errors of the source of a write are passed on as they are. */
export class StorageError extends Error {
  override name = 'StorageError';
  readonly kind: StorageTrouble;
  constructor(kind: StorageTrouble, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** For `.catch()`: what a storage's own client throws. */
export function storageUnavailable(error: Error): never {
  throw new StorageError(
    'unavailable',
    `The storage did not do what was asked: ${error.name}: ${error.message}`,
    error,
  );
}

/** What a single PUT can hold, here as at S3. */
export const maxUploadBytes = 5 * 1024 ** 3;

/** Passes the bytes on until there are too many. */
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

/** Whether this can stand in a `Content-Type` header. */
export function isContentType(text: string): boolean {
  return text.length <= 255 && mediaType.test(text);
}

export function assertContentType(text: string) {
  if (!isContentType(text)) throw new Error(`Not a content type: ${JSON.stringify(text)}`);
}
