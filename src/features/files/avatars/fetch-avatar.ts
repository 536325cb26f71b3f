import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../../../app.ts';
import { mediaLimits } from '../../../foundation/errors/media.ts';
import { createFairTurns } from '../../../foundation/lib/fair-turns.ts';
import { temporaryFolder } from '../../../foundation/system/temporary-folder.ts';
import { runImageJob } from '../imaging/run-job.ts';
import { headBytes, typeOfHead } from '../ingestion/peek-stream.ts';

const maxBytes = mediaLimits.avatarBytes;
const fetchMs = 10_000;
const encoding = { timeoutMs: 20_000, maxMemoryBytes: 268_435_456 };

/**
 * A slow server delays only the avatars of one owner. It would take many owners to occupy all places. An avatar keeps
 * its place until it is encoded, so no more of them than places wait in memory for the encoder.
 */
const downloads = createFairTurns({ places: 32, perOwner: 2 });
/** One image process in addition to those for media. */
const encodings = createFairTurns({ places: 1, perOwner: 1 });

/**
 * Fetches the image at the URL as a small WebP. The URL comes from the account, so a user can choose it: the request
 * goes through the egress guard without credentials, or only to the sandbox. Throws if there is no usable image.
 */
export async function fetchAvatar(
  app: Pick<App, 'platformAccess' | 'sandboxUrl'>,
  ownerId: string,
  address: string,
): Promise<Uint8Array> {
  using _turn = await downloads.acquire(ownerId);
  return await encodeAvatar(ownerId, await download(app, address));
}

/** The image as a small WebP without metadata. Throws if it is none. */
export async function encodeAvatar(ownerId: string, bytes: Uint8Array): Promise<Uint8Array> {
  const { kind, format } = await typeOfHead(bytes.subarray(0, headBytes));
  if (kind !== 'image') throw new Error(`It is a ${format}.`);
  using _turn = await encodings.acquire(ownerId);
  await using folder = await temporaryFolder('avatar');
  const path = join(folder.path, 'image');
  await writeFile(path, bytes);
  const limits = { signal: AbortSignal.timeout(encoding.timeoutMs), maxMemoryBytes: encoding.maxMemoryBytes };
  const image = await runImageJob('toAvatar', [path], limits);
  if (!image) throw new Error('It cannot be decoded, or is too large.');
  return image;
}

async function download(
  { platformAccess, sandboxUrl }: Pick<App, 'platformAccess' | 'sandboxUrl'>,
  address: string,
): Promise<Uint8Array> {
  const response = await platformAccess.fetch(platformAccess.route(new URL(address)), {
    headers: { accept: 'image/*' },
    signal: AbortSignal.timeout(fetchMs),
    // The guard checks each redirect. Requests to the sandbox have no guard, and the sandbox never redirects images.
    redirect: sandboxUrl === null ? 'follow' : 'error',
  });
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    throw new Error(`The server returned status ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new Error(`It is larger than ${maxBytes / 1_048_576} MB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
