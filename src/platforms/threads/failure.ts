import { z } from 'zod';
import { redact } from '../../lib/redact.ts';
import { type FailureDetails, type FailureKind, PlatformError } from '../kit/index.ts';

/** What helps, where waiting for the engine to try again is not it: a little patience, or a new container. */
type Remedy = 'wait' | 'renew';

export interface Meaning {
  kind: FailureKind;
  message: string;
  remedy?: Remedy;
}

export class ThreadsError extends PlatformError {
  readonly remedy: Remedy | null;
  /** Whether a permission is missing: without the one to reply, the account can post nevertheless. */
  readonly isDenial: boolean;
  constructor(meaning: Meaning, details: FailureDetails) {
    super(meaning.kind, meaning.message, details);
    this.remedy = meaning.remedy ?? null;
    this.isDenial = meaning === notGranted;
  }
}

export const asksFor = (remedy: Remedy, error: unknown): error is ThreadsError =>
  error instanceof ThreadsError && error.remedy === remedy;
export const isDenial = (error: unknown): error is ThreadsError => error instanceof ThreadsError && error.isDenial;

const reconnect = 'Connect the account again.';
const rejected = (message: string): Meaning => ({ kind: 'rejected', message });
const unavailable = (message: string): Meaning => ({ kind: 'unavailable', message });
const notFetched = unavailable('Threads could not fetch the media from this service.');
const throttled: Meaning = { kind: 'rate_limited', message: 'Threads asks to slow down.' };
const notGranted: Meaning = {
  kind: 'auth',
  message: 'The permission to do this was not granted. Connect the account again, and allow all that is asked.',
};

export const usedUp: Meaning = {
  kind: 'rate_limited',
  message: 'The account has published as much as Threads allows in 24 hours.',
};

/** What `error_subcode` means, whatever the code beside it (documentation and recorded answers read 2026-11). */
const bySubcode: Readonly<Record<number, Meaning>> = {
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

/** What `code` means, where the subcode says nothing. */
const byCode: Readonly<Record<number, Meaning>> = {
  1: unavailable('Threads is in trouble.'),
  2: unavailable('Threads is in trouble.'),
  4: throttled,
  9: usedUp,
  10: notGranted,
  17: throttled,
  32: throttled,
  101: unavailable('Threads does not know this service as an application. Its operator has to check id and secret.'),
  102: { kind: 'auth', message: `Threads no longer accepts the sign-in. ${reconnect}` },
  190: { kind: 'auth', message: `Threads no longer accepts the access token. ${reconnect}` },
  613: throttled,
  9004: notFetched,
};

const byStatus: Readonly<Record<number, Meaning>> = {
  401: { kind: 'auth', message: `Threads does not accept the access token. ${reconnect}` },
  403: notGranted,
  413: { kind: 'too_large', message: 'This is too large for Threads.' },
  429: throttled,
};

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

export function failureOfContainer(fault: string): ThreadsError {
  const details = { reason: fault, mayHaveHappened: false };
  if (passingFaults.has(fault)) {
    return new ThreadsError(
      { kind: 'unavailable', message: 'Threads failed to take the media.', remedy: 'renew' },
      details,
    );
  }
  return new ThreadsError(rejected(mediaFaults[fault] ?? 'Threads could not process the media.'), details);
}

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

/** The refusal in an answer, if it is one. */
export function failureIn(
  { status, statusText, headers, ok }: Response,
  body: unknown,
  secrets: readonly string[],
): PlatformError | null {
  const said = ErrorBody.safeParse(body).data ?? (ok ? undefined : SignInError.safeParse(body).data);
  if (ok && !said) return null;
  const spoken = [...new Set([said?.message, said?.error_user_msg])].filter(Boolean).join(' ');
  const reason = redact(spoken || `${status} ${statusText}`.trim(), secrets);
  if (status >= 500) return new PlatformError('unavailable', 'Threads is in trouble.', { status, reason });
  const meaning = meaningOf(status, said);
  return new ThreadsError(meaning, {
    status,
    reason,
    mayHaveHappened: false,
    ...(meaning.kind === 'rate_limited' && { retryAfterSeconds: secondsToWait(meaning, headers) }),
  });
}

function meaningOf(status: number, said: z.output<typeof GraphError> | undefined): Meaning {
  const { code = 0, error_subcode: subcode = 0, is_transient = false } = said ?? {};
  const known = bySubcode[subcode] ?? byCode[code];
  if (known) return known;
  if (code >= 200 && code < 300) return notGranted;
  if (is_transient) return unavailable('Threads is in trouble.');
  return (
    byStatus[status] ??
    // The API answers in JSON. A page is from what stands in front of it, which passed nothing on.
    (said ? rejected('Threads refused this.') : unavailable('Threads gave an answer that makes no sense.'))
  );
}

export const dailySeconds = 3600;
/** For throttling of which Threads does not say when it ends. */
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
