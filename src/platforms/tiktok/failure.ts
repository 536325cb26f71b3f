import { z } from 'zod';
import { redact } from '../../lib/redact.ts';
import { type FailureKind, PlatformError } from '../kit/index.ts';

interface Meaning {
  kind: FailureKind;
  message: string;
  retryAfterSeconds?: number;
}

const minuteSeconds = 60;
/** Counters of a day open again bit by bit: now and then a look is worth it. */
const hourSeconds = 3600;

const reconnect: Meaning = {
  kind: 'auth',
  message: 'TikTok no longer accepts the access token. Connect the account again.',
};
const missingPermission: Meaning = {
  kind: 'auth',
  message: 'A permission that this needs was not granted. Connect the account again, and allow all that is asked.',
};
const signInRefused: Meaning = { kind: 'auth', message: 'TikTok does not accept the sign-in. Connect again.' };
const applicationRefused: Meaning = {
  kind: 'rejected',
  message: 'TikTok does not accept the application of this service. Its operator has to check it at TikTok.',
};
const contentRefused: Meaning = { kind: 'rejected', message: 'TikTok does not accept the post as it is.' };
const fileRefused: Meaning = {
  kind: 'rejected',
  message: 'TikTok cannot use a file of the post. Convert it, and post it again.',
};
const takenForSpam: Meaning = { kind: 'rejected', message: 'TikTok takes the post for spam. Change it.' };
const notFetched: Meaning = {
  kind: 'unavailable',
  message: 'TikTok could not fetch the files from this service. They must be reachable from the internet.',
};
const inTrouble: Meaning = { kind: 'unavailable', message: 'TikTok is in trouble.' };
const slowDown: Meaning = {
  kind: 'rate_limited',
  message: 'TikTok asks to slow down.',
  retryAfterSeconds: minuteSeconds,
};

/** Our own word for it: TikTok has none. */
export const uploadExpired = 'upload_expired';

/** By the code of a refusal, the `error` of OAuth, and the `fail_reason` of a post (documentation as of 2026-11). */
const meanings: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    access_token_invalid: reconnect,
    auth_removed: reconnect,
    scope_not_authorized: missingPermission,
    scope_permission_missed: missingPermission,
    access_denied: signInRefused,
    invalid_grant: signInRefused,
    invalid_request: signInRefused,
    invalid_client: applicationRefused,
    unauthorized_client: applicationRefused,
    invalid_scope: applicationRefused,
    server_error: inTrouble,
    temporarily_unavailable: inTrouble,
    internal_error: inTrouble,
    internal: { kind: 'unavailable', message: 'TikTok failed to process the post.' },

    [uploadExpired]: { kind: 'unavailable', message: 'The video did not reach TikTok in time.' },

    invalid_param: contentRefused,
    invalid_params: contentRefused,
    invalid_file_upload: fileRefused,
    file_format_check_failed: fileRefused,
    duration_check_failed: { kind: 'rejected', message: 'The video is too long or too short for TikTok.' },
    frame_rate_check_failed: {
      kind: 'rejected',
      message: 'TikTok does not take the frame rate of the video. It must have 23 to 60 frames a second.',
    },
    picture_size_check_failed: { kind: 'rejected', message: 'TikTok does not take the size of a picture in the post.' },
    video_pull_failed: notFetched,
    photo_pull_failed: notFetched,
    publish_cancelled: { kind: 'rejected', message: 'The post was cancelled at TikTok.' },
    app_version_check_failed: { kind: 'rejected', message: 'The TikTok app of the account is too old. Update it.' },

    privacy_level_option_mismatch: {
      kind: 'rejected',
      message: 'The account may not post to these viewers. Choose another viewerSetting.',
    },
    unaudited_client_can_only_post_to_private_accounts: {
      kind: 'rejected',
      message:
        'This application may post only privately until TikTok has audited it: choose SELF_ONLY. ' +
        'The account itself has to be private, too.',
    },
    url_ownership_unverified: {
      kind: 'rejected',
      message: 'TikTok does not fetch files from this service. Its operator has to verify the address at TikTok.',
    },

    rate_limit_exceeded: slowDown,
    spam_risk_too_many_posts: {
      kind: 'rate_limited',
      message: 'The account has posted as much as TikTok allows in a day.',
      retryAfterSeconds: hourSeconds,
    },
    spam_risk_too_many_pending_share: {
      kind: 'rate_limited',
      message: 'The account has as many unfinished posts as TikTok allows.',
      retryAfterSeconds: hourSeconds,
    },
    reached_active_user_cap: {
      kind: 'rate_limited',
      message: 'This service has posted for as many accounts as TikTok allows it in a day.',
      retryAfterSeconds: hourSeconds,
    },
    spam_risk_user_banned_from_posting: {
      kind: 'rejected',
      message: 'TikTok has banned the account from posting. Open the TikTok app to see why.',
    },
    spam_risk: takenForSpam,
    spam_risk_text: takenForSpam,
  } satisfies Record<string, Meaning>),
);

/** For answers without a code that we know. */
const meaningsByStatus: ReadonlyMap<number, Meaning> = new Map([
  [401, reconnect],
  [413, { kind: 'too_large', message: 'The file is too large for TikTok.' }],
  [429, slowDown],
]);

interface Refusal {
  code: string;
  words: string;
}

const ErrorBody = z.object({
  error: z.union([z.string(), z.object({ code: z.string(), message: z.string().default('') })]),
  error_description: z.string().default(''),
});

/** TikTok refuses with a status of success, too: only "ok", or no word of an error, is one. */
export function refusalIn(answer: unknown): Refusal | null {
  const body = ErrorBody.safeParse(answer).data;
  if (!body) return null;
  const { error, error_description } = body;
  if (typeof error === 'string') return { code: error, words: error_description };
  return error.code === 'ok' ? null : { code: error.code, words: error.message };
}

export function failure(response: Response, refusal: Refusal | null, secrets: readonly string[]): PlatformError {
  const { status, statusText } = response;
  const said = refusal && [refusal.code, refusal.words].filter(Boolean).join(': ');
  const reason = redact(said || `${status} ${statusText}`.trim(), secrets);
  if (status >= 500) return new PlatformError(inTrouble.kind, inTrouble.message, { status, reason });
  const { kind, message, retryAfterSeconds } =
    meanings.get(refusal?.code ?? '') ?? meaningsByStatus.get(status) ?? unlisted(refusal);
  return new PlatformError(kind, message, { status, reason, retryAfterSeconds, mayHaveHappened: false });
}

/** The API answers in JSON. Anything else is from what stands in front of it, which passed nothing on. */
function unlisted(refusal: Refusal | null): Meaning {
  return refusal
    ? { kind: 'rejected', message: 'TikTok refused this.' }
    : { kind: 'unavailable', message: 'TikTok gave an answer that makes no sense.' };
}

/** Of a post that TikTok took and gave up on. */
export function failedPost(reason: string): PlatformError {
  const { kind, message, retryAfterSeconds } = meanings.get(reason) ?? contentRefused;
  return new PlatformError(kind, message, { reason, retryAfterSeconds, mayHaveHappened: false });
}

/** The same failure, where what was asked does not tell by itself whether the post may be out. */
export function withDoubt(error: unknown, mayHaveHappened: boolean): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { kind, message, status, reason, retryAfterSeconds } = error;
  return new PlatformError(kind, message, {
    status: status ?? undefined,
    reason: reason ?? undefined,
    retryAfterSeconds: retryAfterSeconds ?? undefined,
    mayHaveHappened,
    cause: error.cause,
  });
}
