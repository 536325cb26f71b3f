import { z } from 'zod';
import { redact } from '../../lib/redact.ts';
import { type FailureDetails, type FailureKind, PlatformError } from '../kit/index.ts';

/** What helps, where waiting for the engine to try again is not it: a little patience, or a new container. */
type Remedy = 'wait' | 'renew';

export class InstagramError extends PlatformError {
  readonly remedy: Remedy | null;
  constructor({ kind, message, remedy }: Meaning, details: FailureDetails) {
    super(kind, message, details);
    this.remedy = remedy ?? null;
  }
}

export const asksFor = (remedy: Remedy, error: unknown) => error instanceof InstagramError && error.remedy === remedy;

export interface Meaning {
  kind: FailureKind;
  message: string;
  remedy?: Remedy;
}

const reconnect = 'Connect the account again.';
const rejected = (message: string): Meaning => ({ kind: 'rejected', message });
const unavailable = (message: string): Meaning => ({ kind: 'unavailable', message });
const productTags = rejected('Instagram does not accept the product tags.');
const notFetched = unavailable('Instagram could not fetch the media from this service.');
const notTaken = unavailable('Instagram failed to take the media.');
const throttled: Meaning = { kind: 'rate_limited', message: 'Instagram asks to slow down.' };
const notGranted: Meaning = {
  kind: 'auth',
  message: 'The permission to do this was not granted. Connect the account again, and allow all that is asked.',
};

export const usedUp: Meaning = {
  kind: 'rate_limited',
  message: 'The account has published as much as Instagram allows in 24 hours.',
};

/** What `error_subcode` means, whatever the code beside it (documentation and recorded answers read 2026-11). */
const bySubcode: Readonly<Record<number, Meaning>> = {
  // Reads of containers answer this now and then, although the container is there.
  33: unavailable('Instagram does not show this to the account.'),
  2207001: unavailable('Instagram is in trouble.'),
  2207003: notFetched,
  2207004: { kind: 'too_large', message: 'The image is larger than the 8 MB that Instagram takes.' },
  2207005: rejected('Instagram takes images as JPEG only.'),
  2207006: rejected('Instagram no longer has the media of this post. Publish it anew.'),
  2207008: unavailable('Instagram failed to publish the post.'),
  2207009: rejected('The image is too tall or too wide for Instagram: its ratio must be from 4:5 to 1.91:1.'),
  2207010: rejected('The text is too long for Instagram.'),
  2207020: { kind: 'unavailable', message: 'The media of the post expired at Instagram.', remedy: 'renew' },
  2207023: rejected('Instagram does not know this kind of media.'),
  2207026: rejected('Instagram does not accept the video: check its format, size and length.'),
  2207027: { kind: 'unavailable', message: 'Instagram is still at work on the media.', remedy: 'wait' },
  2207028: rejected('A carousel has from 2 to 10 items.'),
  2207032: notTaken,
  2207035: productTags,
  2207036: productTags,
  2207037: productTags,
  2207040: rejected('Instagram allows 20 tags of accounts in a post.'),
  2207042: usedUp,
  2207050: {
    kind: 'auth',
    message: 'Instagram has restricted the account. Open Instagram to see why, then connect it again.',
  },
  2207051: rejected('Instagram takes this for spam, and has blocked it. Post less often, and other words.'),
  2207052: notFetched,
  2207053: notTaken,
  2207057: rejected('The moment chosen for the cover is not in the video.'),
  2207077: notFetched,
  2207081: rejected('Instagram does not let this account publish trial reels.'),
  2207082: notTaken,
};

/** What `code` means, where the subcode says nothing. */
const byCode: Readonly<Record<number, Meaning>> = {
  1: unavailable('Instagram is in trouble.'),
  2: unavailable('Instagram is in trouble.'),
  4: throttled,
  9: usedUp,
  10: notGranted,
  17: throttled,
  32: throttled,
  101: unavailable('Instagram does not know this service as an application. Its operator has to check id and secret.'),
  102: { kind: 'auth', message: `Instagram no longer accepts the sign-in. ${reconnect}` },
  190: { kind: 'auth', message: `Instagram no longer accepts the access token. ${reconnect}` },
  613: throttled,
  9007: { kind: 'unavailable', message: 'Instagram is still at work on the media.', remedy: 'wait' },
  80001: throttled,
  80002: throttled,
};

const byStatus: Readonly<Record<number, Meaning>> = {
  401: { kind: 'auth', message: `Instagram does not accept the access token. ${reconnect}` },
  403: notGranted,
  413: { kind: 'too_large', message: 'This is too large for Instagram.' },
  429: throttled,
};

const words = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);
const GraphError = z.object({
  message: words,
  code: number,
  error_subcode: number,
  is_transient: z.boolean().catch(false),
  error_user_msg: words,
});
const ErrorBody = z.object({ error: GraphError }).transform(({ error }) => error);
/** The sign-in has a shape of its own, in which the code is the HTTP status. */
const SignInError = z
  .object({ error_message: z.string() })
  .transform((said) => GraphError.parse({ message: said.error_message }));

/** The refusal in an answer, if it is one. Instagram has been seen to refuse with a status of success, too. */
export function failureIn(
  { status, statusText, headers, ok }: Response,
  body: unknown,
  secrets: readonly string[],
): PlatformError | null {
  const said = ErrorBody.safeParse(body).data ?? (ok ? undefined : SignInError.safeParse(body).data);
  if (ok && !said) return null;
  const spoken = [...new Set([said?.message, said?.error_user_msg])].filter(Boolean).join(' ');
  const reason = redact(spoken || `${status} ${statusText}`.trim(), secrets);
  if (status >= 500) return new PlatformError('unavailable', 'Instagram is in trouble.', { status, reason });
  const meaning = meaningOf(status, said);
  return new InstagramError(meaning, {
    status,
    reason,
    mayHaveHappened: false,
    ...(meaning.kind === 'rate_limited' && { retryAfterSeconds: secondsToWait(meaning, headers) }),
  });
}

/** What became of a container that failed: the number is somewhere in its status. */
export function failureOfContainer(status: string): InstagramError {
  const subcode = /\b2207\d{3}\b/.exec(status)?.[0];
  const meaning = bySubcode[Number(subcode)] ?? rejected('Instagram could not process the media.');
  // It is not Instagram that comes back to the same container: another may fare better.
  const remedy = meaning.kind === 'unavailable' ? 'renew' : undefined;
  return new InstagramError({ ...meaning, remedy }, { reason: status || 'ERROR', mayHaveHappened: false });
}

function meaningOf(status: number, said: z.output<typeof GraphError> | undefined): Meaning {
  const { code = 0, error_subcode: subcode = 0, is_transient = false } = said ?? {};
  const known = bySubcode[subcode] ?? byCode[code];
  if (known) return known;
  if (code >= 200 && code < 300) return notGranted;
  if (is_transient) return unavailable('Instagram is in trouble.');
  return (
    byStatus[status] ??
    // The API answers in JSON. A page is from what stands in front of it, which passed nothing on.
    (said ? rejected('Instagram refused this.') : unavailable('Instagram gave an answer that makes no sense.'))
  );
}

export const dailySeconds = 3600;
/** For throttling of which Instagram does not say when it ends. */
const usualSeconds = 900;

/** The window for posts slides over 24 hours: one may become free at any time. That for calls may be told, in minutes. */
function secondsToWait(meaning: Meaning, headers: Headers): number {
  if (meaning === usedUp) return dailySeconds;
  const usage = Usage.safeParse(parseJson(headers.get('x-business-use-case-usage') ?? '')).data ?? {};
  const minutes = Object.values(usage).flatMap((uses) => uses.map((use) => use.estimated_time_to_regain_access));
  return Math.max(0, ...minutes) * 60 || usualSeconds;
}

const Usage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().nonnegative().catch(0) })),
);

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
