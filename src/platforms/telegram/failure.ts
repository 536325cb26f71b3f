import { z } from 'zod';
import { commonErrors, type KnownError, PlatformError, refusal, secondsIn, type VendorApi } from '../kit/index.ts';

const common = commonErrors('Telegram');
const auth = (message: string): KnownError => ({ kind: 'auth', message });
const rejected = (message: string): KnownError => ({ kind: 'rejected', message });
const tokenRejected = auth(
  'Telegram does not accept the bot token. Get a new one from @BotFather and connect the channel again.',
);

/**
 * The message follows the status in lower case, except for codes of Telegram's inner protocol. The first match wins.
 */
const knownErrors: readonly (readonly [status: number, words: RegExp, error: KnownError])[] = [
  [401, /^/, tokenRejected],
  [
    404,
    /method not found/i,
    rejected('Telegram does not support this API method. The operator of this service must update it.'),
  ],
  [404, /^/, tokenRejected],
  [
    403,
    /kicked|not a member/i,
    auth('The bot is not in the channel. Add it as an administrator and connect the channel again.'),
  ],
  [
    400,
    /administrator rights|not enough rights|no rights|CHAT_WRITE_FORBIDDEN|CHAT_ADMIN_REQUIRED/i,
    auth('The bot is not allowed to post to the channel. Make it an administrator with the right to post messages.'),
  ],
  [
    400,
    /chat not found|chat_id is empty/i,
    auth('Telegram cannot find the channel. It may have been deleted. Connect it again.'),
  ],
  [400, /too big|too large/i, common.fileTooLarge],
  [400, /too long/i, common.textTooLong],
  [
    400,
    /PHOTO_INVALID_DIMENSIONS/i,
    rejected(
      'Telegram accepts images with a width and height of at most 10000 pixels together, and a ratio of at most 20:1. Resize the image.',
    ),
  ],
  [400, /IMAGE_PROCESS_FAILED|VIDEO_FILE_INVALID|non-empty/i, common.fileUnreadable],
  [413, /^/, common.fileTooLarge],
  [429, /^/, common.rateLimited],
];

/** The default wait, for a response that does not give one. */
const windowSeconds = 60;

export const failureIn: VendorApi['failureIn'] = (response, body, { secrets }) => {
  if (response.ok) return null;
  const { description: said = '', parameters = {} } = ErrorBody.safeParse(body).data ?? {};
  const known = knownErrors.find(([status, words]) => status === response.status && words.test(said))?.[2];
  const retryAfterSeconds = parameters.retry_after ?? secondsIn('retry-after', response.headers) ?? windowSeconds;
  return refusal(response, { name: 'Telegram', said, known, secrets, retryAfterSeconds, cause: parameters });
};

/** The id of the supergroup that a group was converted to, if that is why Telegram refused. */
export const newChatId = (error: unknown): number | null =>
  (error instanceof PlatformError && Parameters.safeParse(error.cause).data?.migrate_to_chat_id) || null;

const Parameters = z.object({
  retry_after: z.number().nonnegative().transform(toWholeSeconds).optional(),
  migrate_to_chat_id: z.int().optional(),
});
const ErrorBody = z.object({ description: z.string().min(1), parameters: Parameters.optional() });

function toWholeSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}
