import { z } from 'zod';
import { redact } from '../../foundation/lib/redact.ts';
import {
  commonErrors,
  type KnownError,
  maxAnswerBytes,
  PlatformError,
  refusal,
  secondsToReset,
  type VendorApi,
} from '../kit/index.ts';

const common = commonErrors('Mastodon');
const { fileTooLarge } = commonErrors('this Mastodon server');
const thumbnailFailed = /processing thumbnail/;

/**
 * Mastodon has no error codes: the status says most, the message the rest (docs and source read 2026-11). First match
 * wins.
 */
const knownErrors: readonly (readonly [status: number, words: RegExp, error: KnownError])[] = [
  [400, /invalid_grant/, common.signInRejected],
  [
    401,
    /invalid_client/,
    { kind: 'auth', message: 'The Mastodon server no longer recognises this service. Reconnect the account.' },
  ],
  [401, /^/, common.tokenRejected],
  [403, /outside the authorized scopes/, common.permissionMissing],
  [
    403,
    /login|e-?mail|pending/i,
    {
      kind: 'auth',
      message:
        'The Mastodon account is disabled, unconfirmed or waiting for approval. Sign in to its server to see why, then reconnect the account.',
    },
  ],
  [413, /^/, fileTooLarge],
  [422, /requires an authenticated user/, common.tokenRejected],
  [422, /size must be less|too large/i, fileTooLarge],
  [422, thumbnailFailed, common.fileUnreadable],
  [422, /not finished processing/, common.mediaProcessing],
  [422, /not found or already attached/, common.mediaGone],
  [429, /^/, common.rateLimited],
];

/** The window of Mastodon's limits, for forks that send no headers about them. */
const windowSeconds = 300;

export const failureIn: VendorApi['failureIn'] = (response, body, { secrets }) => {
  if (response.ok) return null;
  const said = ErrorBody.safeParse(body).data ?? '';
  const { status, headers } = response;
  // Some versions return 500 for a file that they cannot read.
  if (status === 500 && thumbnailFailed.test(said)) {
    return new PlatformError('rejected', common.fileUnreadable.message, { status, reason: redact(said, secrets) });
  }
  const known = knownErrors.find(([listed, words]) => listed === status && words.test(said))?.[2];
  const retryAfterSeconds = secondsToReset(new Date(headers.get('x-ratelimit-reset') ?? ''), headers) ?? windowSeconds;
  return refusal(response, { name: 'Mastodon', said, known, secrets, retryAfterSeconds });
};

/** The API puts its message in `error`. OAuth puts a code there and the message next to it. */
const ErrorBody = z
  .object({ error: z.string().max(maxAnswerBytes), error_description: z.string().max(maxAnswerBytes).optional() })
  .transform(({ error, error_description }) => (error_description ? `${error}: ${error_description}` : error));
