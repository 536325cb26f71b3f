import {
  auth,
  commonRules,
  type ErrorRule,
  type ErrorTable,
  findRule,
  rejected,
  tooLarge,
  unavailable,
} from '../graph/error-codes.ts';
import { errorReader, GraphError } from '../graph/failure.ts';
import { messages } from '../kit/index.ts';

export const name = 'Instagram';
const common = commonRules(name);
export const { quotaUsedUp } = common;

const mediaProcessing: ErrorRule = { ...unavailable(messages.mediaProcessing(name)), recovery: 'wait' };
const mediaExpired: ErrorRule = { ...unavailable(messages.mediaGone(name)), recovery: 'renew' };

/** Codes and subcodes, from the documentation and recorded responses as of 2026-11. */
const table: ErrorTable = [
  // Instagram sometimes returns this for containers that exist.
  [
    [33],
    unavailable('Instagram cannot find the requested object, or does not show it to the account. Try again later.'),
  ],
  [[2207001], common.temporary],
  [[2207003, 2207052, 2207077], unavailable(messages.fileNotFetched(name))],
  [[2207004], tooLarge('The image is larger than 8 MB, the limit of Instagram. Upload a smaller one.')],
  [[2207005], rejected('Instagram accepts only JPEG images. Convert the image to JPEG.')],
  [[2207006], rejected(messages.mediaGone(name))],
  [[2207008], unavailable('Instagram failed to publish the post. Try again later.')],
  [[2207009], rejected('The aspect ratio of the image must be between 4:5 and 1.91:1 for Instagram. Crop the image.')],
  [[2207010], rejected('The text is too long for Instagram, or has more than 30 hashtags or 20 mentions. Shorten it.')],
  [[2207020], mediaExpired],
  [[2207023], rejected('Instagram does not support this kind of media. Upload a JPEG image or an MP4 video.')],
  [[2207026], rejected('Instagram does not accept the video. Check its format, size and length.')],
  [[2207027, 9007], mediaProcessing],
  [[2207028], rejected('An Instagram carousel has 2 to 10 items. Add or remove media.')],
  [[2207032, 2207053, 2207082], unavailable('Instagram failed to upload the media. Try again later.')],
  [[2207035, 2207036, 2207037], rejected('Instagram does not accept the product tags. Remove them.')],
  [[2207040], rejected('An Instagram post can tag up to 20 accounts. Remove some tags.')],
  [[2207042], quotaUsedUp],
  [[2207050], auth(messages.accountRestricted(name))],
  [[2207051], rejected('Instagram blocked the post as spam. Change the text and post less often.')],
  [[2207057], rejected('The cover frame is not in the video. Choose another one.')],
  [[2207081], rejected('Instagram does not let this account publish trial reels.')],
  [[80001, 80002], common.throttled],
  ...common.table,
];

export const failureIn = errorReader({ ...common, name, table });

/** The status of a failed container contains the subcode. */
export function containerFailure(status: string): GraphError {
  const subcode = Number(/\b2207\d{3}\b/.exec(status)?.[0]);
  const rule = findRule(table, subcode) ?? common.mediaFailed;
  // Instagram does not retry a failed container, but another one may succeed.
  const recovery = rule.kind === 'unavailable' ? 'renew' : undefined;
  return new GraphError({ ...rule, recovery }, { reason: status || 'ERROR' });
}
