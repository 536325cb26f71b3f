import { commonMeanings, type Meanings, rejected } from '../graph/error-codes.ts';
import { GraphError, refusalReader } from '../graph/failure.ts';

export const name = 'Threads';
const common = commonMeanings(name);
const { notFetched } = common;
export const { usedUp } = common;

/** Whether a permission is missing: without the one to reply, the account can post nevertheless. */
export const isDenial = (error: unknown): error is GraphError =>
  error instanceof GraphError && error.meaning === common.notGranted;

/** What `error_subcode` means, whatever the code beside it (documentation and recorded answers read 2026-11). */
const bySubcode: Meanings = {
  2207042: usedUp,
  2207051: rejected('Threads takes this for spam, and has blocked it. Post less often, and other words.'),
  2207052: notFetched,
  // Also for some seconds after it was made: Threads needs a while to know it everywhere.
  4279009: { kind: 'unavailable', message: 'Threads does not have what this refers to.', remedy: 'wait' },
  4279013: {
    kind: 'auth',
    message: 'Threads has restricted the account. Open Threads to see why, then connect it again.',
  },
};

const byCode: Meanings = {
  ...common.byCode,
  9004: notFetched,
};

export const failureIn = refusalReader({ ...common, name, bySubcode, byCode });

/** What a container says of media that it cannot use. Anything else is no fault of the media. */
const mediaFaults: Readonly<Record<string, string>> = {
  FAILED_PROCESSING_AUDIO: 'Threads could not process the sound of the video.',
  FAILED_PROCESSING_VIDEO: 'Threads could not process the video.',
  // Their spelling.
  INVALID_ASPEC_RATIO: 'The video is too tall or too wide for Threads.',
  INVALID_AUDIO_CHANNELS: 'Threads does not accept the sound channels of the video.',
  INVALID_AUDIO_CHANNEL_LAYOUT: 'Threads does not accept the sound channels of the video.',
  INVALID_BIT_RATE: 'The video has more data per second than Threads takes.',
  INVALID_DURATION: 'The video is too long or too short for Threads.',
  INVALID_FRAME_RATE: 'Threads takes videos with 23 to 60 frames per second.',
};
const passingFaults = new Set(['FAILED_DOWNLOADING_VIDEO', 'UNKNOWN']);

export function failureOfContainer(fault: string): GraphError {
  const details = { reason: fault, mayHaveHappened: false };
  if (passingFaults.has(fault)) {
    return new GraphError(
      { kind: 'unavailable', message: 'Threads failed to take the media.', remedy: 'renew' },
      details,
    );
  }
  return new GraphError(rejected(mediaFaults[fault] ?? 'Threads could not process the media.'), details);
}
