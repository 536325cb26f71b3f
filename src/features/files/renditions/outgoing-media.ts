import { DatabaseError } from '../../../foundation/db/database-error.ts';
import { isDiskFull, StorageError, type StoredFile } from '../../../foundation/storage/storage.ts';
import { type Limits, type Media, PlatformError } from '../../../platforms/kit/index.ts';
import type { MediaRecord } from '../queries.ts';
import { later, type OpenedFiles, openedFiles } from './opened-files.ts';
import type { RenditionApp } from './renditions.ts';
import { type OutgoingFile, renditionOf } from './renditions.ts';

/** Platforms fetch a file immediately or after some time in their own queue. Only they know the URL. */
const urlSeconds = 6 * 3600;

/** Files for an adapter. Disposing closes the ones it opened. */
export interface OutgoingMedia extends AsyncDisposable {
  readonly media: Media[];
}

/** A file of a post can no longer be published, so nothing was sent to the platform. */
export class MediaGoneError extends PlatformError {
  override name = 'MediaGoneError';
  readonly mediaId: string;
  readonly mediaCode: MediaGoneCode;
  constructor(mediaId: string, mediaCode: MediaGoneCode, message: string) {
    super('rejected', message, { reason: message });
    this.mediaId = mediaId;
    this.mediaCode = mediaCode;
  }
}
/** The codes of the event for posts that return to draft. */
type MediaGoneCode = 'MEDIA_REFERENCE_MISSING' | 'MEDIA_UPLOAD_MISSING' | 'MEDIA_VALIDATION_FAILED';

/** The files of a post in order, each in a format that the platform accepts. */
export async function outgoingMedia(
  app: RenditionApp,
  records: readonly MediaRecord[],
  { images }: Pick<Limits, 'images'>,
): Promise<OutgoingMedia> {
  const opened = openedFiles(app.storage, records);
  const media: Media[] = [];
  for (const record of records) {
    const file = await renditionOf(app, record, images).catch((error) => explain(error, record));
    media.push(asMedia(app, record, file, opened));
  }
  return { media, [Symbol.asyncDispose]: opened[Symbol.asyncDispose] };
}

function explain(error: unknown, record: MediaRecord): never {
  if (error instanceof PlatformError || error instanceof DatabaseError) throw error;
  if (isDiskFull(error) || (error instanceof StorageError && error.kind === 'full')) throw noRoom(record, error);
  const isStored = error instanceof StorageError && error.kind !== 'missing';
  const isGone = error instanceof StorageError && (error.kind === 'changed' || error.kind === 'missing');
  throw isGone ? changedSince(record, isStored) : unreadable(record, error);
}

const noRoom = ({ sourceFileName }: MediaRecord, cause: unknown) =>
  later(`The service has no disk space left to send the file ${sourceFileName}. Contact its operator.`, cause);

/** Our own storage failed, so nothing was sent to the platform. */
const unreadable = ({ sourceFileName }: MediaRecord, cause: unknown) =>
  new PlatformError('unavailable', `The file ${sourceFileName} could not be read from our storage.`, {
    code: 'UNKNOWN_ERROR',
    mayHaveHappened: false,
    cause,
  });

function changedSince({ id, sourceFileName }: MediaRecord, isStored: boolean): MediaGoneError {
  const message = `The file ${sourceFileName} was replaced or removed after it was checked. Upload it again.`;
  return new MediaGoneError(id, isStored ? 'MEDIA_VALIDATION_FAILED' : 'MEDIA_UPLOAD_MISSING', message);
}

/** Throws if storage no longer has the checked version of one of the files. */
export async function requireStored({ storage }: Pick<RenditionApp, 'storage'>, records: readonly MediaRecord[]) {
  for (const record of records) {
    const { storageKey: key, objectVersion: version } = record;
    const found = key === null ? null : await storage.stat(key).catch((error) => explain(error, record));
    if (!found || (version !== null && found.version !== version)) throw changedSince(record, found !== null);
  }
}

function asMedia({ storage }: RenditionApp, record: MediaRecord, file: OutgoingFile, opened: OpenedFiles): Media {
  let stored: Promise<StoredFile> | null = null;
  const requireUnchanged = async () => {
    const found = await storage.stat(file.key);
    if (found && (file.version === null || found.version === file.version)) return;
    throw changedSince(record, found !== null);
  };
  return {
    kind: record.type,
    type: file.mimeType,
    altText: record.altText ?? '',
    width: file.width,
    height: file.height,
    seconds: record.metadata?.duration ?? null,
    blob() {
      stored ??= opened.open(async () => {
        await requireUnchanged();
        return storage.file(file.key);
      });
      return stored.then(({ blob }) => blob).catch((error) => explain(error, record));
    },
    async url() {
      try {
        await requireUnchanged();
        return new URL(await storage.signedUrl(file.key, { contentType: file.mimeType, expiresInSeconds: urlSeconds }));
      } catch (error) {
        return explain(error, record);
      }
    },
  };
}
