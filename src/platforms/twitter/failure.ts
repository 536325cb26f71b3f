import { z } from 'zod';
import { commonErrors, type KnownError, PlatformError, refusal, secondsToReset, type VendorApi } from '../kit/index.ts';

const common = commonErrors('X');
const duplicateContent = /duplicate content/i;

/**
 * X's errors (documentation and recorded responses read 2026-11). The pattern is matched against "status code message":
 * the code is the last part of the problem's `type`, or the `error` of OAuth, with the invalid parameters. Most
 * refusals of a post have no code and differ only in their message. The first match wins.
 */
const knownErrors: readonly (readonly [response: RegExp, error: KnownError])[] = [
  [/^40[01] (unauthorized_client|invalid_client) /, common.applicationUnknown],
  [/^400 [a-z]+(_[a-z]+)+ /, common.signInRejected],
  [/^401 /, common.tokenRejected],
  // The operator pays for credits, so the user cannot fix this, and it may be over in an hour.
  [
    /^402 /,
    {
      kind: 'rate_limited',
      message:
        'This service has no credits left on X. Try again later, or ask the operator of this service to buy more.',
    },
  ],
  [/^\d+ usage-capped /, common.applicationQuota],
  [
    /^\d+ unsupported-authentication /,
    { kind: 'auth', message: 'X requires a different kind of sign-in for this. Reconnect the account.' },
  ],
  [/^\d+ client-forbidden /, common.applicationForbidden],
  [/^\d+ user-suspended |suspended|temporarily locked/i, common.accountRestricted],
  [duplicateContent, common.duplicate],
  [/^403 +Forbidden$/, common.permissionMissing],
  [/cashtag/i, { kind: 'rejected', message: 'X allows only one cashtag in a post. Remove the others and try again.' }],
  [
    /invalid url/i,
    { kind: 'rejected', message: 'X does not accept a link in the text. Correct or remove it and try again.' },
  ],
  // Since 2026-02-23, X has refused replies from self-serve applications to authors who have not mentioned or quoted
  // the account (https://docs.x.com/changelog). Both texts were seen in 2026.
  [
    /have not been mentioned|reply to or quote posts where you are mentioned/i,
    {
      kind: 'rejected',
      code: 'X_REPLY_NOT_AUTHORIZED',
      message:
        "X lets this service's application reply only to posts whose author has mentioned or quoted the account, so it rejected this reply. Publish on X without threads and comments, or ask the operator of this service for X access that allows replies.",
    },
  ],
  [
    /reply to this conversation|allowed to reply/i,
    {
      kind: 'rejected',
      message: 'X does not let the account reply to this post. Its author may have limited who can reply.',
    },
  ],
  [
    /deleted or not visible/i,
    { kind: 'rejected', message: 'The post to reply to was deleted from X, or the account cannot see it.' },
  ],
  [
    /video longer than/i,
    { kind: 'too_large', message: 'The video is too long for this account on X. Upload a shorter one.' },
  ],
  [
    /not permitted to perform this action/i,
    {
      kind: 'rejected',
      message:
        'X does not permit this. The text may be too long for the account, or the account may be restricted. Shorten the text, or sign in to X to check the account.',
    },
  ],
  [/^400 \S+ media\.media_ids |media ids are invalid/i, common.mediaGone],
  [/^400 .*\btotal_bytes\b/, common.fileTooLarge],
  [/^413 /, common.fileTooLarge],
  [/^429 /, common.rateLimited],
];

export const failureIn: VendorApi['failureIn'] = (response, body, { secrets }) => {
  const problem = problemIn(body);
  if (response.ok && !problem?.replacesAnswer) return null;
  const { code = '', said = '' } = problem ?? {};
  const summary = `${response.status} ${code} ${said}`;
  const known = knownErrors.find(([pattern]) => pattern.test(summary))?.[1];
  const retryAfterSeconds = secondsToWait(response.headers);
  return refusal(response, { name: 'X', said, known, secrets, retryAfterSeconds });
};

/**
 * X refuses a text that the account has already posted, so after an unknown outcome this proves that the post was
 * published.
 */
export function isDuplicate(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.status === 403 && duplicateContent.test(error.reason ?? '');
}

const words = z.string().optional().catch(undefined);
const parameters = z.record(z.string(), z.unknown()).catch({});
const Problem = z.object({ title: words, type: words, detail: words, message: words, parameters });
const ErrorBody = z.object({
  ...Problem.shape,
  errors: z.array(Problem).catch([]),
  error: words,
  error_description: words,
  data: z.unknown().optional(),
});

/** `replacesAnswer`: X also refuses with a success status, with `errors` in place of `data`. */
function problemIn(body: unknown): { code: string; said: string; replacesAnswer: boolean } | null {
  const parsed = ErrorBody.safeParse(body);
  if (!parsed.success) return null;
  const { errors, error, error_description, data, ...problem } = parsed.data;
  const problems = [problem, ...errors];
  const type = problems.find((one) => one.type?.startsWith('http'))?.type ?? '';
  const wrong = problems.flatMap((one) => Object.keys(one.parameters));
  const details = problems.map((one) => one.detail ?? one.message ?? one.title);
  return {
    code: [error ?? type.slice(type.lastIndexOf('/') + 1), ...wrong].join(' '),
    said: [error, error_description, ...details].filter(Boolean).join(' '),
    replacesAnswer: errors.length > 0 && data === undefined,
  };
}

/**
 * X has three counters, and only those at zero block a request. A 24-hour counter is often at zero while the first is
 * not.
 */
const counters = ['x-rate-limit', 'x-app-limit-24hour', 'x-user-limit-24hour'];
/** The length of most windows, for a response that does not give a reset time. */
const windowSeconds = 900;

function secondsToWait(headers: Headers): number {
  const spent = counters.filter((name) => headers.get(`${name}-remaining`) === '0');
  const resets = (spent.length > 0 ? spent : counters.slice(0, 1)).map((name) => headers.get(`${name}-reset`));
  const reset = Math.max(...resets.map((seconds) => Number(seconds ?? Number.NaN)));
  return secondsToReset(new Date(reset * 1000), headers) ?? windowSeconds;
}
