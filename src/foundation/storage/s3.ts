import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { errorText } from '../lib/error-text.ts';
import type { Clock } from '../time/clock.ts';
import { localCopies } from './local-copies.ts';
import { abortUploads, upload } from './s3-upload.ts';
import { inertType, servedType } from './served-type.ts';
import {
  assertContentType,
  limited,
  maxUploadBytes,
  type ReadOptions,
  type Storage,
  type StorageConfig,
  StorageError,
  type StorageHealth,
  storageUnavailable,
  type WriteOptions,
} from './storage.ts';
import { assertStorageKey } from './storage-key.ts';

export type Bucket = Extract<StorageConfig, { kind: 's3' }>;

export interface S3Options {
  bucket: Bucket;
  /** The URL of this service, which redirects readers if the bucket has no public URL. */
  publicUrl: string;
  /** For copies of files that are being sent to platforms. */
  copiesFolder: string;
  clock: Clock;
}

/** Receiving an upload takes hours at most. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;
const removedAtOnce = 10;
const checkTimeoutMs = 5000;

/** A bucket on AWS or on any S3-compatible server. */
export function s3Storage({ bucket, publicUrl, copiesFolder, clock }: S3Options): Storage {
  const Bucket = bucket.bucket;
  const site = bucket.publicUrl ?? `${publicUrl}/media`;
  let connection: Promise<Connection> | null = null;
  const connected = () => (connection ??= connect(bucket));

  const copyOf = localCopies(copiesFolder, read);

  async function read(key: string, { start = 0, end, version }: ReadOptions = {}): Promise<Readable> {
    assertStorageKey(key);
    if (end !== undefined && start >= end) return nothing();
    const { s3, client } = await connected();
    const Range = start > 0 || end !== undefined ? `bytes=${start}-${end === undefined ? '' : end - 1}` : undefined;
    try {
      const command = new s3.GetObjectCommand({ Bucket, Key: key, Range, IfMatch: version });
      return (await client.send(command)).Body as Readable;
    } catch (error) {
      const status = statusOf(error);
      if (status === 416) return nothing();
      if (status === 404 && !isNamed(error, 'NoSuchBucket'))
        throw new StorageError('missing', `There is no ${key}.`, error);
      if (status === 412) throw new StorageError('changed', `${key} has changed.`, error);
      return storageUnavailable(error as Error);
    }
  }

  async function headBucket(options = {}) {
    const { s3, client } = await connected();
    await client.send(new s3.HeadBucketCommand({ Bucket }), options);
  }

  async function stat(key: string) {
    assertStorageKey(key);
    const { s3, client } = await connected();
    try {
      const head = await client.send(new s3.HeadObjectCommand({ Bucket, Key: key }));
      const { ContentLength = 0, ContentType = 'application/octet-stream', ETag = '' } = head;
      return { bytes: ContentLength, contentType: ContentType, version: ETag };
    } catch (error) {
      if (statusOf(error) !== 404) return storageUnavailable(error as Error);
      // A HEAD response has no error text, so a missing bucket looks like a missing file.
      await headBucket().catch(storageUnavailable);
      return null;
    }
  }

  return {
    async uploadUrl(key, { contentType, expiresAt }) {
      assertStorageKey(key);
      assertContentType(contentType);
      const { s3, client, presign } = await connected();
      const expiresIn = Math.max(1, Math.floor((expiresAt.getTime() - clock.now().getTime()) / 1000));
      // Readers of a public bucket bypass this service, so nothing executable may be stored in it.
      const ContentType = bucket.publicUrl ? inertType(contentType) : contentType;
      const command = new s3.PutObjectCommand({ Bucket, Key: key, ContentType });
      // If the type were not signed, the client could send another one.
      const signableHeaders = new Set(['content-type']);
      return presign(client, command, { expiresIn, signableHeaders }).catch(storageUnavailable);
    },

    publicUrl(key) {
      assertStorageKey(key);
      return `${site}/${key}`;
    },

    async signedUrl(key, { contentType, expiresInSeconds: expiresIn }) {
      assertStorageKey(key);
      const { s3, client, presign } = await connected();
      const { contentType: ResponseContentType, contentDisposition } = servedType(key, contentType);
      const forced = { ResponseContentType, ResponseContentDisposition: contentDisposition };
      const command = new s3.GetObjectCommand({ Bucket, Key: key, ...forced });
      return presign(client, command, { expiresIn }).catch(storageUnavailable);
    },

    async write(key, source, { contentType, maxBytes = maxUploadBytes }: WriteOptions) {
      assertStorageKey(key);
      assertContentType(contentType);
      const { s3, client } = await connected();
      const object = { Bucket, Key: key, ContentType: contentType };
      return { bytes: await upload({ s3, client, object }, limited(source, maxBytes)) };
    },

    stat,
    read,

    async file(key) {
      const found = await stat(key);
      if (!found) throw new StorageError('missing', `There is no ${key}.`);
      return copyOf(key, found);
    },

    async remove(keys) {
      keys.forEach(assertStorageKey);
      const { s3, client } = await connected();
      // Some servers (OpenStack Swift, Dell ECS) refuse DeleteObjects without Content-MD5, which the SDK does not send.
      const remove = (Key: string) => client.send(new s3.DeleteObjectCommand({ Bucket, Key })).catch(unlessMissing);
      for (let from = 0; from < keys.length; from += removedAtOnce)
        await Promise.all(keys.slice(from, from + removedAtOnce).map(remove));
    },

    async check() {
      try {
        await headBucket({ abortSignal: AbortSignal.timeout(checkTimeoutMs) });
        return { ok: true, detail: `the bucket ${Bucket} is reachable` };
      } catch (error) {
        return trouble(error, bucket);
      }
    },

    async removeAbandoned() {
      const before = new Date(clock.now().getTime() - abandonedAfterMs);
      return abortUploads(await connected(), Bucket, before).catch(storageUnavailable);
    },
  };
}

type Connection = Awaited<ReturnType<typeof connect>>;

/** The SDK is loaded on first use, because a service with media on disk does not need it. */
async function connect({ region, endpoint, credentials }: Bucket) {
  const [s3, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  const client: S3Client = new s3.S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    // The default adds the checksum of an empty body to upload URLs, which servers other than AWS refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Without these, a server that does not respond would block the caller forever.
    requestHandler: { connectionTimeout: 5000, socketTimeout: 60_000 },
  });
  return { s3, client, presign: getSignedUrl };
}

/** AWS reports success for a missing file; other servers (Google) report that it is missing. */
function unlessMissing(error: Error) {
  if (!isNamed(error, 'NoSuchKey')) storageUnavailable(error);
}

const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name;

/** Describes the problem for an operator: a HEAD response has no error text. */
function trouble(error: unknown, { bucket, endpoint, region }: Bucket): StorageHealth {
  const server = endpoint ?? `AWS (${region})`;
  const status = statusOf(error);
  const detail =
    status === 403
      ? `${server} rejects the credentials, or they do not allow listing the bucket ${bucket}`
      : status === 404
        ? `${server} has no bucket ${bucket}`
        : status !== undefined
          ? `${server} returned status ${status} for the bucket ${bucket}`
          : `${server} does not respond: ${errorText(error)}`;
  return { ok: false, mistaken: status !== undefined && status < 500 && status !== 429, detail };
}

const nothing = () => Readable.from([], { objectMode: false });

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
