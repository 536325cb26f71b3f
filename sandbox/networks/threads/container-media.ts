import { asFlag, asText } from '../../fields.ts';
import type { NewContainer } from '../../graph/containers.ts';
import {
  type FilmLimits,
  type FilmProblem,
  fetchFilm,
  fetchImage,
  type ImageLimits,
  keepMedia,
} from '../../graph/media.ts';
import type { JsonObject } from '../../json.ts';
import type { Call } from '../../network.ts';
import { startProcessing } from '../../processing.ts';
import type { Account } from '../../store/accounts.ts';
import { invalidParam } from './errors.ts';

const megabyte = 1024 * 1024;
const image: ImageLimits = {
  types: ['image/jpeg', 'image/png'],
  maxBytes: 8 * megabyte,
  minRatio: 0.1,
  maxRatio: 10,
};
const film: FilmLimits = { maxBytes: 1024 * megabyte, minSeconds: 0, maxSeconds: 300 };

/** The vendor's words for them, by which a container says what went wrong. */
const failures: Record<FilmProblem, string> = {
  unreachable: 'FAILED_DOWNLOADING_VIDEO',
  too_large: 'FAILED_DOWNLOADING_VIDEO',
  format: 'FAILED_PROCESSING_VIDEO',
  duration: 'INVALID_DURATION',
};
const unusableFilm = 'INVALID_FRAME_RATE';
const unusableImage = 'UNKNOWN';

type Made = Omit<NewContainer, 'data'>;

export async function imageContainer(call: Call, account: Account, input: JsonObject): Promise<Made> {
  const arrived = await fetchImage(call, required(input, 'image_url'), image);
  const { readyAt, fails } = startProcessing(call);
  const media = keepMedia(call, account, arrived, asText(input.alt_text), {}).id;
  return { ...common(input), type: 'IMAGE', media, readyAt, failure: fails ? unusableImage : null };
}

/** Whatever is wrong with a film, also that it cannot be reached, the container says later. */
export async function videoContainer(call: Call, account: Account, input: JsonObject): Promise<Made> {
  const arrived = await fetchFilm(call, required(input, 'video_url'), film);
  const { readyAt, fails } = startProcessing(call);
  const parts = { ...common(input), type: 'VIDEO', readyAt };
  if (typeof arrived === 'string') return { ...parts, media: null, failure: failures[arrived] };
  const media = keepMedia(call, account, arrived, asText(input.alt_text), {}).id;
  return { ...parts, media, failure: fails ? unusableFilm : null };
}

function common(input: JsonObject) {
  return { isItem: asFlag(input.is_carousel_item), children: [] };
}

function required(input: JsonObject, name: string): string {
  const value = asText(input[name]);
  return value === '' ? invalidParam(`Param ${name} is required.`) : value;
}
