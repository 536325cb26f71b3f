import type { JsonObject } from '../http/json.ts';
import { fetchFile } from '../media/fetch-file.ts';
import { mp4Seconds } from '../media/mp4-metadata.ts';
import { type Sniffed, sniff } from '../media/sniff.ts';
import type { Call } from '../platform.ts';
import type { Account } from '../store/accounts.ts';
import type { StoredFile } from '../store/files.ts';
import type { Media } from '../store/media.ts';
import { refuse } from './errors.ts';

export interface ImageLimits {
  readonly types: readonly string[];
  readonly maxBytes: number;
  /** Width divided by height. */
  readonly minRatio: number;
  readonly maxRatio: number;
}

export interface VideoLimits {
  readonly maxBytes: number;
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

export interface FetchedMedia extends StoredFile {
  readonly found: Sniffed;
  /** Null for an image, and for a video that does not state its duration. */
  readonly seconds: number | null;
}

export type VideoProblem = 'unreachable' | 'too_large' | 'format' | 'duration';

const videoTypes = ['video/mp4', 'video/quicktime'];

/** Downloads and checks an image. An invalid image fails the call. */
export async function fetchImage(call: Call, address: string, limits: ImageLimits): Promise<FetchedMedia> {
  const { files } = call.sandbox.store;
  const stored = isAddress(address) ? await fetchFile(files, address, limits.maxBytes) : 'unreachable';
  if (stored === 'too_large') tooLarge(limits.maxBytes);
  if (stored === 'unreachable') unreachable(address);
  const found = sniff(await files.head(stored.sha256));
  if (!found) unreachable(address);
  if (!limits.types.includes(found.type)) wrongFormat(limits);
  checkRatio(found, limits);
  return { ...stored, found, seconds: null };
}

/** Downloads a video. An invalid video fails in processing, not here. */
export async function fetchVideo(
  call: Call,
  address: string,
  limits: VideoLimits,
): Promise<FetchedMedia | VideoProblem> {
  const { files } = call.sandbox.store;
  const stored = isAddress(address) ? await fetchFile(files, address, limits.maxBytes) : 'unreachable';
  if (typeof stored === 'string') return stored;
  const found = sniff(await files.head(stored.sha256));
  if (!found || !videoTypes.includes(found.type)) return 'format';
  const seconds = mp4Seconds(files.path(stored.sha256));
  const isWithin = seconds === null || (seconds >= limits.minSeconds && seconds <= limits.maxSeconds);
  return isWithin ? { ...stored, found, seconds } : 'duration';
}

export function saveMedia(
  call: Call,
  account: Account,
  fetched: FetchedMedia,
  altText: string,
  more: JsonObject,
): Media {
  const { found, seconds, sha256, bytes } = fetched;
  const { store, now } = call.sandbox;
  return store.media.add({
    platform: call.platform.id,
    id: store.ids.snowflake(),
    accountId: account.id,
    kind: found.kind,
    type: found.type,
    sha256,
    bytes,
    description: altText === '' ? null : altText,
    // The container has its own processing time.
    readyAt: now(),
    fails: false,
    data: { width: found.width, height: found.height, seconds, ...more },
  });
}

export function unreachable(address: string): never {
  refuse('Only photo or video can be accepted as media type.', {
    code: 9004,
    subcode: 2207052,
    userMessage: ['Media download has failed.', `The media could not be fetched from this URI: ${address}`],
  });
}

function tooLarge(maxBytes: number): never {
  refuse('The image size is too large.', {
    code: 36000,
    subcode: 2207004,
    userMessage: [
      'Image size too large',
      `The image is too large to download. It should be less than ${maxBytes / 1024 / 1024} MiB.`,
    ],
  });
}

function wrongFormat({ types }: ImageLimits): never {
  const names = types.map((type) => type.replace('image/', '').toUpperCase()).join(', ');
  refuse('The image format is not supported.', {
    code: 36001,
    subcode: 2207005,
    userMessage: ['Unsupported image format', `The image format is not supported. Supported formats are: ${names}.`],
  });
}

function checkRatio({ width, height }: Sniffed, { minRatio, maxRatio }: ImageLimits): void {
  if (!width || !height) return;
  const ratio = width / height;
  // Pixel sizes are whole numbers, so a correct image may miss the exact ratio slightly.
  if (ratio > minRatio - 0.01 && ratio < maxRatio + 0.01) return;
  refuse('The aspect ratio is not supported.', {
    code: 36003,
    subcode: 2207009,
    userMessage: [
      'Unsupported aspect ratio',
      `The submitted image with aspect ratio ${width}:${height} cannot be published. Please submit an image with a valid aspect ratio.`,
    ],
  });
}

function isAddress(text: string): boolean {
  return /^https?:\/\/[\x21-\x7e]+$/.test(text) && URL.canParse(text);
}
