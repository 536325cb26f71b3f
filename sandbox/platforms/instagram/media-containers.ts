import type { NewContainer } from '../../graph/containers.ts';
import { invalid, refuse } from '../../graph/errors.ts';
import {
  fetchImage,
  fetchVideo,
  type ImageLimits,
  saveMedia,
  unreachable,
  type VideoLimits,
} from '../../graph/media.ts';
import { asFlag, asText } from '../../http/coerce.ts';
import type { JsonObject } from '../../http/json.ts';
import { startProcessing } from '../../media/media-processing.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';

const megabyte = 1024 * 1024;
const feedImage: ImageLimits = { types: ['image/jpeg'], maxBytes: 8 * megabyte, minRatio: 0.8, maxRatio: 1.91 };
const anyShape: ImageLimits = { ...feedImage, minRatio: 0.1, maxRatio: 10 };
const maxAltText = 1000;

const videoLimits: Record<'VIDEO' | 'REELS' | 'STORIES', VideoLimits> = {
  VIDEO: { maxBytes: 300 * megabyte, minSeconds: 3, maxSeconds: 60 },
  REELS: { maxBytes: 300 * megabyte, minSeconds: 3, maxSeconds: 15 * 60 },
  STORIES: { maxBytes: 100 * megabyte, minSeconds: 3, maxSeconds: 60 },
};

/** The error code of a container whose video does not meet the specification. */
const unusableVideo = '2207026';
const unusableImage = '2207032';

/** An image is ready immediately. */
export async function imageContainer(
  call: Call,
  account: Account,
  input: JsonObject,
  type: 'IMAGE' | 'STORIES',
): Promise<NewContainer> {
  const altText = asText(input.alt_text);
  if ([...altText].length > maxAltText) invalid(`Param alt_text must be at most ${maxAltText} characters long.`);
  const fetched = await fetchImage(call, required(input, 'image_url'), type === 'IMAGE' ? feedImage : anyShape);
  const { readyAt, fails } = startProcessing(call, 0);
  const media = saveMedia(call, account, fetched, altText, {});
  const failure = fails ? unusableImage : null;
  return { ...common(input), type, media: media.id, readyAt, failure };
}

export async function videoContainer(
  call: Call,
  account: Account,
  input: JsonObject,
  type: keyof typeof videoLimits,
): Promise<NewContainer> {
  const address = required(input, 'video_url');
  const cover = type === 'REELS' ? await saveCover(call, account, input) : null;
  const fetched = await fetchVideo(call, address, videoLimits[type]);
  if (fetched === 'unreachable') unreachable(address);
  const { readyAt, fails } = startProcessing(call);
  const parts = { ...common(input), type, readyAt };
  if (typeof fetched === 'string') return { ...parts, media: null, failure: unusableVideo };
  checkThumbOffset(input, fetched.seconds);
  const media = saveMedia(call, account, fetched, '', { cover });
  return { ...parts, media: media.id, failure: fails ? unusableVideo : null };
}

function common(input: JsonObject) {
  return { isItem: asFlag(input.is_carousel_item), children: [], data: { caption: asText(input.caption) } };
}

function required(input: JsonObject, name: string): string {
  const value = asText(input[name]);
  return value === '' ? invalid(`The parameter ${name} is required`) : value;
}

async function saveCover(call: Call, account: Account, input: JsonObject): Promise<string | null> {
  const address = asText(input.cover_url);
  if (address === '') return null;
  return saveMedia(call, account, await fetchImage(call, address, anyShape), '', {}).id;
}

/** The offset is in milliseconds and is ignored when there is a cover. */
function checkThumbOffset(input: JsonObject, seconds: number | null): void {
  if (input.thumb_offset === undefined || asText(input.cover_url) !== '') return;
  const offset = Number(input.thumb_offset);
  const end = seconds === null ? Number.POSITIVE_INFINITY : seconds * 1000;
  if (offset >= 0 && offset < end) return;
  refuse('Invalid parameter', {
    code: 1,
    subcode: 2207057,
    userMessage: [
      'Invalid thumbnail offset',
      `Thumbnail offset must be greater than or equal to 0 and less than video duration, i.e. ${end}`,
    ],
  });
}
