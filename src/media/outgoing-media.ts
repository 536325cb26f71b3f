import type { App } from '../app.ts';
import { DatabaseError } from '../db/database-error.ts';
import { type Limits, type Media, PlatformError } from '../platforms/kit/index.ts';
import type { MediaRecord } from './queries.ts';
import { type Outgoing, renditionOf } from './renditions.ts';
import { StorageError, type StoredFile } from './storage/storage.ts';

/** Networks fetch at once or after a queue of their own; nobody else learns the address. */
const addressSeconds = 6 * 3600;

/** Files as an adapter sees them. Disposing closes what was opened for it. */
export interface OutgoingMedia extends AsyncDisposable {
  readonly media: Media[];
}

type Needs = Pick<App, 'db' | 'clock' | 'storage' | 'log'>;

/** A post's files for one network, in order, each as the network takes it. */
export async function outgoingMedia(
  app: Needs,
  records: readonly MediaRecord[],
  { images }: Pick<Limits, 'images'>,
): Promise<OutgoingMedia> {
  const opened: StoredFile[] = [];
  const media: Media[] = [];
  for (const record of records) {
    const file = await renditionOf(app, record, images).catch((error) => explain(error, record));
    media.push(asMedia(app, record, file, opened));
  }
  return {
    media,
    async [Symbol.asyncDispose]() {
      for (const file of opened) await file[Symbol.asyncDispose]();
    },
  };
}

function explain(error: unknown, record: MediaRecord): never {
  if (error instanceof PlatformError || error instanceof DatabaseError) throw error;
  const isGone = error instanceof StorageError && (error.kind === 'changed' || error.kind === 'missing');
  throw isGone ? notTheSame(record) : unreadable(record, error);
}

/** Trouble of our own storage, not of the network: so nothing was sent. */
const unreadable = ({ sourceFileName }: MediaRecord, cause: unknown) =>
  new PlatformError('unavailable', `The file ${sourceFileName} could not be read from our storage.`, {
    code: 'UNKNOWN_ERROR',
    mayHaveHappened: false,
    cause,
  });

function notTheSame({ sourceFileName }: MediaRecord): PlatformError {
  const message = `The file ${sourceFileName} was replaced or removed after it was checked. Upload it again.`;
  return new PlatformError('rejected', message, { reason: message });
}

function asMedia({ storage }: Needs, record: MediaRecord, file: Outgoing, opened: StoredFile[]): Media {
  let blob: Promise<Blob> | null = null;
  const requireSame = async () => {
    const found = await storage.stat(file.key);
    if (found && (file.version === null || found.version === file.version)) return;
    throw notTheSame(record);
  };
  return {
    kind: record.type,
    type: file.mimeType,
    altText: '',
    width: file.width,
    height: file.height,
    seconds: record.metadata?.duration ?? null,
    blob() {
      blob ??= (async () => {
        await requireSame();
        const stored = await storage.file(file.key);
        opened.push(stored);
        return stored.blob;
      })();
      return blob.catch((error) => explain(error, record));
    },
    async url() {
      try {
        await requireSame();
        return new URL(await storage.signedUrl(file.key, addressSeconds));
      } catch (error) {
        return explain(error, record);
      }
    },
  };
}
