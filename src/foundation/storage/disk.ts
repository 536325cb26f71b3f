import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { type FileHandle, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { SealingKeys } from '../lib/seal.ts';
import type { Clock } from '../time/clock.ts';
import { admitUpload, signUpload } from './signed-upload.ts';
import { removeStaleFiles } from './stale-files.ts';
import {
  assertContentType,
  isDiskFull,
  limited,
  maxUploadBytes,
  type OpenFile,
  type ReadOptions,
  type Storage,
  StorageError,
} from './storage.ts';
import { assertStorageKey } from './storage-key.ts';

export interface DiskOptions {
  folder: string;
  /** The URL of this service, whose routes receive uploads and serve files. */
  publicUrl: string;
  sealingKeys: SealingKeys;
  clock: Clock;
}

/** The size of the check's test file: that of a small image. */
const trialBytes = 64 * 1024;
/** A stalled upload is disconnected within a minute, so nothing writes to a file this old. */
const abandonedAfterMs = 60 * 60 * 1000;

/**
 * Files under `<folder>/media/`, named after their keys. A hidden file next to each holds its content type. A file is
 * written elsewhere and moved into place once it is complete and synced to disk.
 */
export function diskStorage({ folder, publicUrl, sealingKeys, clock }: DiskOptions): Storage {
  const root = join(folder, 'media');
  const incoming = join(root, 'incoming');
  let prepared: Promise<void> | null = null;

  async function prepare() {
    for (const name of ['incoming', 'images', 'videos', 'documents'])
      await mkdir(join(root, name), { recursive: true });
  }

  function pathsOf(key: string) {
    assertStorageKey(key);
    const [type, name] = key.split('/') as [string, string];
    return { file: join(root, type, name), type: join(root, type, `.${name}.type`) };
  }

  function urlOf(key: string) {
    assertStorageKey(key);
    return `${publicUrl}/media/${key}`;
  }

  /** Writes bytes to a file that is not visible yet. */
  async function receive(source: AsyncIterable<Uint8Array>) {
    const part = join(incoming, randomUUID());
    try {
      return { part, bytes: await fill(part, source) };
    } catch (error) {
      await discard(part);
      throw error;
    }
  }

  async function place(part: string, path: string) {
    await onDisk(rename(part, path));
    await onDisk(syncFolder(dirname(path)));
  }

  /** Fails if the file exists. Two that arrive at the same time cannot replace each other either. */
  async function placeNew(part: string, path: string) {
    const isLinked = await link(part, path).then(() => true, unlessUnsupported);
    if (!isLinked) {
      if (await onDisk(stat(path).catch(nullIfMissing))) throw existing();
      return place(part, path);
    }
    await discard(part);
    await onDisk(syncFolder(dirname(path)));
  }

  async function store(
    key: string,
    source: AsyncIterable<Uint8Array>,
    contentType: string,
    placeFile: typeof place,
  ): Promise<number> {
    const paths = pathsOf(key);
    const { part, bytes } = await receive(source);
    try {
      // Write the type first. An upload URL allows only one type, so an older file has the same type.
      if ((await readType(paths.type)) !== contentType) {
        const type = await receive(Readable.from([Buffer.from(contentType)]));
        await place(type.part, paths.type);
      }
      await placeFile(part, paths.file);
    } catch (error) {
      await discard(part);
      throw error;
    }
    return bytes;
  }

  async function openFile(key: string): Promise<OpenFile | null> {
    const paths = pathsOf(key);
    const handle = await onDisk(open(paths.file).catch(nullIfMissing));
    if (!handle) return null;
    try {
      const { bytes, version } = await describe(handle);
      const close = () => handle.close();
      return {
        bytes,
        version,
        contentType: await readType(paths.type),
        stream: (range = { start: 0, end: bytes }) => streamOf(handle, range.start, Math.min(range.end, bytes)),
        [Symbol.asyncDispose]: close,
      };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  const writeBy =
    (placeFile: typeof place): Storage['write'] =>
    async (key, source, { contentType, maxBytes = maxUploadBytes }) => {
      assertStorageKey(key);
      assertContentType(contentType);
      try {
        prepared ??= onDisk(prepare());
        await prepared;
        return { bytes: await store(key, limited(source, maxBytes), contentType, placeFile) };
      } catch (error) {
        // The folders may have been removed: the next write recreates them.
        prepared = null;
        throw error;
      }
    };

  return {
    async uploadUrl(key, { contentType, expiresAt }) {
      assertStorageKey(key);
      assertContentType(contentType);
      return signUpload({ address: `${publicUrl}/media/upload/${key}`, contentType, expiresAt }, sealingKeys);
    },

    publicUrl: urlOf,

    // The key cannot be guessed and suffices to read the file, so no signature is needed.
    signedUrl: async (key) => urlOf(key),

    write: writeBy(place),

    async stat(key) {
      await using file = await openFile(key);
      return file && { bytes: file.bytes, contentType: file.contentType, version: file.version };
    },

    async read(key, { start = 0, end = Number.POSITIVE_INFINITY, version }: ReadOptions = {}) {
      const file = await openFile(key);
      if (!file) throw new StorageError('missing', `There is no ${key}.`);
      if (version !== undefined && version !== file.version) {
        await file[Symbol.asyncDispose]();
        throw new StorageError('changed', `${key} has changed.`);
      }
      return file.stream({ start, end });
    },

    async file(key) {
      const paths = pathsOf(key);
      if (!(await onDisk(stat(paths.file).catch(nullIfMissing))))
        throw new StorageError('missing', `There is no ${key}.`);
      const type = await readType(paths.type);
      return { blob: await onDisk(openAsBlob(paths.file, { type })), async [Symbol.asyncDispose]() {} };
    },

    async remove(keys) {
      for (const { file, type } of keys.map(pathsOf)) {
        await onDisk(rm(file, { force: true }));
        await onDisk(rm(type, { force: true }));
      }
    },

    async check() {
      try {
        await onDisk(prepare());
        // Permissions don't reveal a full disk, and an empty file may still fit on it.
        const { part } = await receive(Readable.from([Buffer.alloc(trialBytes)]));
        await discard(part);
        return { ok: true, detail: 'the folder is writable' };
      } catch (error) {
        const { kind, message } = error as StorageError;
        return { ok: false, mistaken: kind !== 'full', detail: message };
      }
    },

    async removeAbandoned() {
      await onDisk(prepare());
      return onDisk(removeStaleFiles(incoming, abandonedAfterMs));
    },

    served: {
      admit: (key, query) => admitUpload(`${publicUrl}/media/upload/${key}`, query, clock.now(), sealingKeys),
      receive: writeBy(placeNew),
      open: openFile,
    },
  };
}

/** Writes with backpressure: the source is read only after the previous bytes are written. */
async function fill(path: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await onDisk(open(path, 'wx'));
  try {
    let bytes = 0;
    for await (const chunk of source) {
      await onDisk(file.writeFile(chunk));
      bytes += chunk.byteLength;
    }
    await onDisk(file.sync());
    return bytes;
  } finally {
    await file.close();
  }
}

/** Closes the file at the end. */
function streamOf(handle: FileHandle, start: number, end: number): Readable {
  if (start < end) return handle.createReadStream({ start, end: end - 1 });
  handle.close().catch(() => {});
  return Readable.from([], { objectMode: false });
}

/** Every write creates a new file, so inode, time and size identify a version. */
async function describe(handle: FileHandle) {
  const { size, mtimeNs, ino } = await onDisk(handle.stat({ bigint: true }));
  return { bytes: Number(size), version: [ino, mtimeNs, size].map((value) => value.toString(36)).join('-') };
}

async function readType(path: string): Promise<string> {
  return (await onDisk(readFile(path, 'utf8').catch(nullIfMissing))) ?? 'application/octet-stream';
}

const discard = (part: string) => rm(part, { force: true }).catch(() => {});

const existing = (cause?: unknown) => new StorageError('exists', 'The file already exists.', cause);

/** False: the file system has no hard links. */
async function unlessUnsupported(error: NodeJS.ErrnoException): Promise<false> {
  if (error.code === 'EEXIST') throw existing(error);
  if (['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(error.code ?? '')) return false;
  return onDisk(Promise.reject(error));
}

/** Without this, a power failure can lose the name of a new file although its bytes are on disk. */
async function syncFolder(path: string) {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Distinguishes errors of the disk from errors of the source. */
async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isDiskFull(error)
      ? new StorageError('full', 'The disk that holds the media is full.', error)
      : new StorageError('unavailable', `The media folder cannot be used: ${(error as Error).message}`, error);
  }
}
