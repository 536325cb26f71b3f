import { z } from 'zod';
import { commonErrors, type KnownError, PlatformError, refusal, type VendorApi } from '../kit/index.ts';

const minuteSeconds = 60;
/** Daily counters free up gradually, so an hourly retry is worthwhile. */
const hourSeconds = 3600;

const common = commonErrors('TikTok');
const rateLimited: KnownError = { ...common.rateLimited, retryAfterSeconds: minuteSeconds };
const rejected = (message: string): KnownError => ({ kind: 'rejected', message });
const dailyLimit = (message: string): KnownError => ({
  kind: 'rate_limited',
  message,
  retryAfterSeconds: hourSeconds,
});

const contentRejected = rejected("TikTok rejected the post. Read TikTok's reason, change the post and try again.");
const fileRejected = rejected('TikTok cannot use a file of this post. Convert the file and publish the post again.');
const spam = rejected('TikTok considers the post spam. Change it and try again.');
const notFetched: KnownError = {
  kind: 'unavailable',
  message:
    'TikTok could not download the files of this post from this service. The service must be reachable from the internet. Try again later.',
};

/** Our own code, because TikTok has none for this. */
export const uploadExpired = 'upload_expired';

/** By the code of a refusal, the `error` of OAuth, and the `fail_reason` of a post (documentation as of 2026-11). */
const knownErrors: ReadonlyMap<string, KnownError> = new Map(
  Object.entries({
    access_token_invalid: common.tokenRejected,
    auth_removed: common.tokenRejected,
    scope_not_authorized: common.permissionMissing,
    scope_permission_missed: common.permissionMissing,
    access_denied: common.signInRejected,
    invalid_grant: common.signInRejected,
    invalid_request: common.signInRejected,
    invalid_client: common.applicationUnknown,
    unauthorized_client: common.applicationForbidden,
    invalid_scope: common.applicationForbidden,
    server_error: common.temporaryError,
    temporarily_unavailable: common.temporaryError,
    internal_error: common.temporaryError,
    internal: common.temporaryError,

    [uploadExpired]: {
      kind: 'unavailable',
      message: 'The upload of the video did not finish before TikTok closed it. Try again later.',
    },

    invalid_param: contentRejected,
    invalid_params: contentRejected,
    invalid_file_upload: fileRejected,
    file_format_check_failed: fileRejected,
    duration_check_failed: rejected(
      'The video is too long or too short for TikTok. Upload one with a different length.',
    ),
    frame_rate_check_failed: rejected(
      'TikTok does not accept the frame rate of the video. Convert it to 23 to 60 frames a second.',
    ),
    picture_size_check_failed: rejected('TikTok does not accept the size of an image in this post. Resize the image.'),
    video_pull_failed: notFetched,
    photo_pull_failed: notFetched,
    publish_cancelled: rejected('The post was cancelled on TikTok. Publish it again if that was not intended.'),
    app_version_check_failed: rejected("The account's TikTok app is too old. Update the app and try again."),

    privacy_level_option_mismatch: rejected(
      'The account cannot post to these viewers. Choose another viewerSetting and try again.',
    ),
    unaudited_client_can_only_post_to_private_accounts: rejected(
      'Until TikTok has audited this application, it can only post privately: choose SELF_ONLY. ' +
        'The account itself must also be private.',
    ),
    url_ownership_unverified: rejected(
      'TikTok does not download files from this service. The operator of this service must verify its URL on TikTok.',
    ),

    rate_limit_exceeded: rateLimited,
    spam_risk_too_many_posts: dailyLimit(
      'The account has reached the daily post limit of TikTok. Wait until the limit resets.',
    ),
    spam_risk_too_many_pending_share: dailyLimit(
      'The account has reached the TikTok limit of unfinished posts. Finish or delete them in the TikTok app.',
    ),
    reached_active_user_cap: dailyLimit(
      'This service has reached the daily TikTok limit of accounts to post for. Try again later.',
    ),
    spam_risk_user_banned_from_posting: rejected(
      'TikTok has banned the account from posting. Open the TikTok app to see why.',
    ),
    spam_risk: spam,
    spam_risk_text: spam,
  } satisfies Record<string, KnownError>),
);

/** For responses without a known code. */
const knownStatuses: ReadonlyMap<number, KnownError> = new Map([
  [401, common.tokenRejected],
  [413, common.fileTooLarge],
  [429, rateLimited],
]);

const ErrorBody = z.object({
  error: z.union([z.string(), z.object({ code: z.string(), message: z.string().default('') })]),
  error_description: z.string().default(''),
});

/** TikTok also refuses with a success status: only the code "ok", or no error at all, means success. */
export const failureIn: VendorApi['failureIn'] = (response, body, { secrets }) => {
  const parsed = ErrorBody.safeParse(body).data;
  const [code, message] = parsed ? codeAndMessage(parsed) : ['', ''];
  if (response.ok && (code === '' || code === 'ok')) return null;
  const said = [code, message].filter(Boolean).join(': ');
  // A response without a code is not from the API but from a proxy in front of it, which did not forward the request.
  const unlisted = code === '' ? common.unreadable : undefined;
  const known = knownErrors.get(code) ?? knownStatuses.get(response.status) ?? unlisted;
  return refusal(response, { name: 'TikTok', said, known, secrets });
};

const codeAndMessage = ({ error, error_description }: z.output<typeof ErrorBody>): [code: string, message: string] =>
  typeof error === 'string' ? [error, error_description] : [error.code, error.message];

/** For a post that TikTok accepted and then gave up on. */
export function failedPost(reason: string): PlatformError {
  const { kind, message, retryAfterSeconds } = knownErrors.get(reason) ?? contentRejected;
  return new PlatformError(kind, message, { reason, retryAfterSeconds, mayHaveHappened: false });
}

/** The same failure, for a request that does not show by itself whether the post may be published. */
export const withDoubt = (error: unknown, mayHaveHappened: boolean): unknown =>
  error instanceof PlatformError ? error.with({ mayHaveHappened }) : error;
