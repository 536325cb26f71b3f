import type { CompletedPart, ListMultipartUploadsCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { storageUnavailable } from './storage.ts';
import { isStorageKey } from './storage-key.ts';

export interface UploadTarget {
  s3: typeof import('@aws-sdk/client-s3');
  client: S3Client;
  object: { Bucket: string; Key: string; ContentType: string };
}

/** The smallest part size that S3 accepts. The maximum of 10,000 parts holds 50 GB. */
const partBytes = 5 * 1024 ** 2;

/**
 * Writes a stream of unknown length: in one request if it fits into one part, otherwise part by part. Uses two buffers:
 * one is sent while the other is filled. `@aws-sdk/lib-storage`, which allocates a buffer per part, grew the process by
 * up to 120 MB for a file of 1 GB.
 */
export async function upload({ s3, client, object }: UploadTarget, source: AsyncIterable<Uint8Array>): Promise<number> {
  const { Bucket, Key } = object;
  const done: CompletedPart[] = [];
  let UploadId: string | undefined;
  let bytes = 0;
  let sending = Promise.resolve();

  async function send(Body: Buffer, PartNumber: number) {
    UploadId ??= (await client.send(new s3.CreateMultipartUploadCommand(object))).UploadId;
    const { ETag } = await client.send(new s3.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
    done.push({ PartNumber, ETag });
  }

  try {
    let number = 0;
    for await (const { part, last } of parts(source)) {
      number += 1;
      bytes += part.byteLength;
      await sending;
      if (last && number === 1) {
        await client.send(new s3.PutObjectCommand({ ...object, Body: part })).catch(storageUnavailable);
        return bytes;
      }
      if (part.byteLength > 0) sending = send(part, number).catch(storageUnavailable);
      // The next iteration awaits it and sees its failure.
      sending.catch(() => {});
    }
    await sending;
    const finish = { Bucket, Key, UploadId, MultipartUpload: { Parts: done } };
    await client.send(new s3.CompleteMultipartUploadCommand(finish)).catch(storageUnavailable);
    return bytes;
  } catch (error) {
    await sending.catch(() => {});
    // S3 keeps the parts of an upload that is never completed, and charges for them.
    if (UploadId) await client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {});
    throw error;
  }
}

/**
 * Aborts the multipart uploads of killed processes: those of our own keys that started before that time. Returns how
 * many.
 */
export async function abortUploads(
  { s3, client }: Pick<UploadTarget, 's3' | 'client'>,
  Bucket: string,
  before: Date,
): Promise<number> {
  let aborted = 0;
  let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
  while (next) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new s3.ListMultipartUploadsCommand({ Bucket, ...next }),
    );
    for (const { Key = '', UploadId, Initiated } of page.Uploads ?? []) {
      if (!isStorageKey(Key) || !Initiated || Initiated > before) continue;
      await client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      aborted += 1;
    }
    next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : null;
  }
  return aborted;
}

/**
 * Yields full parts except the last. A part is valid until the one after the next is requested, which reuses its
 * buffer.
 */
async function* parts(source: AsyncIterable<Uint8Array>) {
  let [buffer, other] = [Buffer.allocUnsafeSlow(partBytes), Buffer.allocUnsafeSlow(partBytes)];
  let filled = 0;
  for await (let chunk of source) {
    while (chunk.byteLength > 0) {
      const taken = chunk.subarray(0, partBytes - filled);
      buffer.set(taken, filled);
      filled += taken.byteLength;
      chunk = chunk.subarray(taken.byteLength);
      if (filled < partBytes) continue;
      yield { part: buffer, last: false };
      [buffer, other] = [other, buffer];
      filled = 0;
    }
  }
  yield { part: buffer.subarray(0, filled), last: true };
}
