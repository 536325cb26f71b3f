import type { NewContainer } from '../../graph/containers.ts';
import {
  fetchImage,
  fetchVideo,
  type ImageLimits,
  saveMedia,
  type VideoLimits,
  type VideoProblem,
} from '../../graph/media.ts';
import { asFlag, asText } from '../../http/coerce.ts';
import type { JsonObject } from '../../http/json.ts';
import { startProcessing } from '../../media/media-processing.ts';
import type { Call } from '../../platform.ts';
import type { Account } from '../../store/accounts.ts';
import { invalidParam } from './errors.ts';

const megabyte = 1024 * 1024;
const image: ImageLimits = {
  types: ['image/jpeg', 'image/png'],
  maxBytes: 8 * megabyte,
  minRatio: 0.1,
  maxRatio: 10,
};
const videoLimits: VideoLimits = { maxBytes: 1024 * megabyte, minSeconds: 0, maxSeconds: 300 };

/** The processing errors of containers, in the vendor's terms. */
const failures: Record<VideoProblem, string> = {
  unreachable: 'FAILED_DOWNLOADING_VIDEO',
  too_large: 'FAILED_DOWNLOADING_VIDEO',
  format: 'FAILED_PROCESSING_VIDEO',
  duration: 'INVALID_DURATION',
};
const unusableVideo = 'INVALID_FRAME_RATE';
const unusableImage = 'UNKNOWN';

type Made = Omit<NewContainer, 'data'>;

export async function imageContainer(call: Call, account: Account, input: JsonObject): Promise<Made> {
  const fetched = await fetchImage(call, required(input, 'image_url'), image);
  const { readyAt, fails } = startProcessing(call);
  const media = saveMedia(call, account, fetched, asText(input.alt_text), {}).id;
  return { ...common(input), type: 'IMAGE', media, readyAt, failure: fails ? unusableImage : null };
}

/** The container reports every problem with the video later, including an unreachable address. */
export async function videoContainer(call: Call, account: Account, input: JsonObject): Promise<Made> {
  const fetched = await fetchVideo(call, required(input, 'video_url'), videoLimits);
  const { readyAt, fails } = startProcessing(call);
  const parts = { ...common(input), type: 'VIDEO', readyAt };
  if (typeof fetched === 'string') return { ...parts, media: null, failure: failures[fetched] };
  const media = saveMedia(call, account, fetched, asText(input.alt_text), {}).id;
  return { ...parts, media, failure: fails ? unusableVideo : null };
}

function common(input: JsonObject) {
  return { isItem: asFlag(input.is_carousel_item), children: [] };
}

function required(input: JsonObject, name: string): string {
  const value = asText(input[name]);
  return value === '' ? invalidParam(`Param ${name} is required.`) : value;
}
