import {
  auth,
  codeRange,
  type ErrorRule,
  type ErrorTable,
  rateLimited,
  rejected,
  tooLarge,
  unavailable,
} from '../graph/error-codes.ts';
import { errorReader, type GraphErrorBody } from '../graph/failure.ts';
import { messages } from '../kit/index.ts';

export const name = 'Facebook';

/** Codes that the adapter acts on. */
export const codes = {
  noSuchObject: [100],
  duplicate: [506, 1366051],
  linkRejected: [1500, 1609005, 1609008, 2061006],
  sessionLost: [1363030, 1363033, 1363041],
} as const;

/** An error without a reason does not prove that nothing was published. */
const temporary: ErrorRule = { ...unavailable(messages.temporaryError(name)), mayHaveHappened: true };
const applicationUnknown = unavailable(messages.applicationUnknown(name));
const notAllowed = auth(
  'Facebook does not allow this. Check that you may still create content on the Page, then reconnect the Page and allow everything Facebook asks for.',
);
const blockSeconds = 3600;

/** Codes and subcodes, from the documentation and recorded responses as of 2026-10. */
const table: ErrorTable = [
  [[1, 100], { ...applicationUnknown, matching: /appsecret_proof|client secret/i }],
  [[1, 2], temporary],
  [[101], applicationUnknown],
  [[3], rejected(messages.applicationForbidden(name))],

  [[458], auth("This service's permission to post was removed on Facebook. Reconnect the Page.")],
  [[460], auth('The Facebook password was changed, which ends all access. Reconnect the Page.')],
  [[459, 464], auth('Facebook wants to verify who you are. Sign in at facebook.com, then reconnect the Page.')],
  [[463], auth('Access to the Page has expired. Reconnect the Page.')],
  [[492], auth('You no longer have a role on this Page. Ask an admin of the Page for one, then reconnect the Page.')],
  [[102, 190, 467, 490], auth(messages.tokenRejected(name))],
  [[1363005, 1363042, 10, ...codeRange(200, 299)], notAllowed],
  [
    [1404078, 4854002],
    rejected('Facebook wants you to confirm your identity before the Page may post. Confirm it at facebook.com.'),
  ],

  [[4, 17, 32, 341, 613, 80001], rateLimited(messages.rateLimited(name))],
  [
    [368, 1404006, 1404112],
    rateLimited(
      'Facebook has blocked the Page from posting for a while. Sign in at facebook.com to see why.',
      blockSeconds,
    ),
  ],

  [[506], rejected(messages.duplicate(name))],
  [[1366051], rejected('These photos are already on the Page. Choose others.')],
  [[1346003, 1404102], rejected('Facebook reports that the post breaks its rules. Change the post.')],
  [codes.linkRejected, rejected('Facebook does not accept a link in the text. Change or remove the link.')],

  [[324, 2069019], rejected('Facebook cannot read the image. Convert it to JPEG or PNG.')],
  [[1366046], tooLarge('The image is too large for Facebook, or in a format that Facebook does not support.')],
  [[1363022], rejected('The video file is too small to be a video. Check the file and upload it again.')],
  [[1363023], tooLarge('The video file is too large for Facebook. Upload a smaller one.')],
  [[1363025], rejected('The video is too short for Facebook. Upload a longer one.')],
  [[1363026, 1363128], tooLarge('The video is too long for Facebook. Upload a shorter one.')],
  [
    [6000, 1363024, 1363031, 1363032, 1363047],
    rejected('Facebook cannot read the video. Convert it to MP4 with H.264 and AAC.'),
  ],
  [
    [1363019, 1363030, 1363033, 1363037, 1363041, 1363045],
    unavailable('The upload to Facebook was interrupted. Try again later.'),
  ],
];

export const failureIn = errorReader({
  name,
  table,
  // Facebook's refusals are JSON: a page with 401, 403 or 429 is not from its API.
  byStatus: { 413: tooLarge(messages.fileTooLarge(name)) },
  temporary,
  reasonOf,
});

/** Facebook's message after its codes: "(#190/460) Error validating access token". */
function reasonOf({ code, error_subcode, message = '', error_user_title, error_user_msg }: GraphErrorBody): string {
  const numbers = [code, error_subcode].filter((number) => number !== undefined).join('/');
  const words = [message.replace(/^\(#\d+\) */, ''), error_user_title, error_user_msg];
  return [numbers && `(#${numbers})`, ...new Set(words)].filter(Boolean).join(' ');
}
