import { auth, commonRules, type ErrorRule, type ErrorTable, rejected, unavailable } from '../graph/error-codes.ts';
import { errorReader, GraphError } from '../graph/failure.ts';
import { messages } from '../kit/index.ts';

export const name = 'Threads';
const common = commonRules(name);
export const { quotaUsedUp } = common;
const fileNotFetched = unavailable(messages.fileNotFetched(name));

/** Codes and subcodes, from the documentation and recorded responses as of 2026-11. */
const table: ErrorTable = [
  [[2207042], quotaUsedUp],
  [[2207051], rejected('Threads blocked the post as spam. Change the text and post less often.')],
  [[2207052, 9004], fileNotFetched],
  // Also returned for a few seconds after an object was created, until Threads knows it everywhere.
  [[4279009], { ...unavailable('Threads cannot find what this post refers to. Try again later.'), recovery: 'wait' }],
  [[4279013], auth(messages.accountRestricted(name))],
  ...common.table,
];

export const failureIn = errorReader({ ...common, name, table });

/** Whether a permission is missing. An account without the permission to reply can still post. */
export const isPermissionMissing = (error: unknown): error is GraphError =>
  error instanceof GraphError && error.rule === common.permissionMissing;

const audioChannels = rejected('Threads does not accept the audio channels of the video. Use mono or stereo.');

/** The meaning of a container's error message. */
const mediaErrors: Readonly<Record<string, ErrorRule>> = {
  FAILED_PROCESSING_AUDIO: rejected('Threads could not process the audio of the video. Check the file.'),
  FAILED_PROCESSING_VIDEO: rejected('Threads could not process the video. Check the file.'),
  // Misspelled by Threads.
  INVALID_ASPEC_RATIO: rejected('The video is too tall or too wide for Threads. Crop it.'),
  INVALID_AUDIO_CHANNELS: audioChannels,
  INVALID_AUDIO_CHANNEL_LAYOUT: audioChannels,
  INVALID_BIT_RATE: rejected('The bit rate of the video is too high for Threads. Lower it.'),
  INVALID_DURATION: rejected('The video is too long or too short for Threads. Change its length.'),
  INVALID_FRAME_RATE: rejected('Threads accepts videos with 23 to 60 frames per second. Convert the video.'),
  FAILED_DOWNLOADING_VIDEO: { ...fileNotFetched, recovery: 'renew' },
  UNKNOWN: { ...unavailable('Threads failed to process the media. Try again later.'), recovery: 'renew' },
};

export const containerFailure = (reason: string) =>
  new GraphError(mediaErrors[reason] ?? common.mediaFailed, { reason });
