import type { Json } from '../../../http/json.ts';
import { startProcessing } from '../../../media/media-processing.ts';
import { type Sniffed, sniff } from '../../../media/sniff.ts';
import type { Call } from '../../../platform.ts';
import type { Account } from '../../../store/accounts.ts';
import type { StoredFile } from '../../../store/files.ts';
import type { Media } from '../../../store/media.ts';
import { invalid } from '../errors.ts';
import { maxGifSize, mediaKinds } from './kinds.ts';

/** A complete upload. `head` contains its first bytes, from which the type is detected. */
export interface UploadedFile {
  readonly id: string;
  readonly category: string;
  readonly stored: StoredFile;
  readonly head: Buffer;
}

/** An invalid image is rejected immediately. An invalid video or GIF fails in processing. */
export function saveMedia(call: Call, account: Account, { id, category, stored, head }: UploadedFile): Media {
  const kind = mediaKinds[category];
  if (!kind) invalid(`The media category ${category} is not supported for posts.`, { media_category: [category] });
  checkSize(category, stored.bytes);
  const found = sniff(head);
  const isRight = found !== undefined && kind.types.includes(found.type);
  const { readyAt, fails } = startProcessing(call, kind.isProcessed ? undefined : 0);
  if (!kind.isProcessed && (!isRight || fails)) invalid('media type unrecognized.');
  const failure = fails ? unprocessable : problemOf(category, found, isRight);
  return call.sandbox.store.media.add({
    platform: 'twitter',
    id,
    accountId: account.id,
    kind: category === 'tweet_gif' ? 'gif' : (found?.kind ?? 'video'),
    type: found?.type ?? 'application/octet-stream',
    ...stored,
    description: null,
    readyAt,
    fails: failure !== null,
    data: { category, failure, width: found?.width ?? null, height: found?.height ?? null },
  });
}

export function checkSize(category: string, bytes: number): void {
  const max = mediaKinds[category]?.maxBytes;
  if (max !== undefined && bytes > max) invalid(`File size exceeds ${max} bytes.`, { total_bytes: [String(bytes)] });
}

const unprocessable = { code: 1, name: 'InvalidMedia', message: 'The media could not be processed.' };

function problemOf(category: string, found: Sniffed | undefined, isRight: boolean): Json {
  if (!isRight) return { code: 1, name: 'InvalidMedia', message: 'Unsupported file format for the media category.' };
  const { width, height } = found ?? {};
  const isTooLarge = (width ?? 0) > maxGifSize.width || (height ?? 0) > maxGifSize.height;
  if (category !== 'tweet_gif' || !isTooLarge) return null;
  const message = `Dimensions ${width}x${height} exceed the maximum of ${maxGifSize.width}x${maxGifSize.height}`;
  return { code: 3, name: 'UnsupportedMedia', message };
}
