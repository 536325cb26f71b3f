import { z } from 'zod';
import { redact } from '../../lib/redact.ts';
import { type FailureDetails, PlatformError } from '../kit/index.ts';
import { type Meaning, type Meanings, type Remedy, rejected, unavailable } from './error-codes.ts';

/** A refusal by a network of Meta's. */
export class GraphError extends PlatformError {
  readonly meaning: Meaning;
  readonly remedy: Remedy | null;
  constructor(meaning: Meaning, details: FailureDetails) {
    super(meaning.kind, meaning.message, details);
    this.meaning = meaning;
    this.remedy = meaning.remedy ?? null;
  }
}

export const asksFor = (remedy: Remedy, error: unknown): error is GraphError =>
  error instanceof GraphError && error.remedy === remedy;

const words = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);
const Said = z.object({
  message: words,
  code: number,
  error_subcode: number,
  is_transient: z.boolean().catch(false),
  error_user_msg: words,
});
type Said = z.output<typeof Said>;
const ErrorBody = z.object({ error: Said }).transform(({ error }) => error);
/** The sign-in has a shape of its own, in which the code is the HTTP status. */
const SignInError = z
  .object({ error_message: z.string() })
  .transform((said) => Said.parse({ message: said.error_message }));

export interface PlatformErrorCodes {
  name: string;
  /** What `error_subcode` means, whatever the code beside it. */
  bySubcode: Meanings;
  byCode: Meanings;
  byStatus: Meanings;
  notGranted: Meaning;
  usedUp: Meaning;
}

/** Finds the refusal in an answer, if it is one. Refusals have been seen with a status of success, too. */
export function refusalReader(platform: PlatformErrorCodes) {
  return function failureIn(
    { status, statusText, headers, ok }: Response,
    body: unknown,
    secrets: readonly string[],
  ): PlatformError | null {
    const said = ErrorBody.safeParse(body).data ?? (ok ? undefined : SignInError.safeParse(body).data);
    if (ok && !said) return null;
    const spoken = [...new Set([said?.message, said?.error_user_msg])].filter(Boolean).join(' ');
    const reason = redact(spoken || `${status} ${statusText}`.trim(), secrets);
    if (status >= 500) return new PlatformError('unavailable', `${platform.name} is in trouble.`, { status, reason });
    const meaning = meaningOf(status, said, platform);
    const wait = meaning === platform.usedUp ? dailySeconds : secondsToWait(headers);
    return new GraphError(meaning, {
      status,
      reason,
      mayHaveHappened: false,
      ...(meaning.kind === 'rate_limited' && { retryAfterSeconds: wait }),
    });
  };
}

function meaningOf(status: number, said: Said | undefined, platform: PlatformErrorCodes): Meaning {
  const { name, bySubcode, byCode, byStatus, notGranted } = platform;
  const { code = 0, error_subcode: subcode = 0, is_transient = false } = said ?? {};
  const known = bySubcode[subcode] ?? byCode[code];
  if (known) return known;
  if (code >= 200 && code < 300) return notGranted;
  if (is_transient) return unavailable(`${name} is in trouble.`);
  return (
    byStatus[status] ??
    // The API answers in JSON. A page is from what stands in front of it, which passed nothing on.
    (said ? rejected(`${name} refused this.`) : unavailable(`${name} gave an answer that makes no sense.`))
  );
}

/** The window for posts slides over 24 hours: one may become free at any time. */
export const dailySeconds = 3600;
/** For throttling of which the network does not say when it ends. */
const usualSeconds = 900;

const Usage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().nonnegative().catch(0) })),
);

/** Told in minutes, if at all. */
function secondsToWait(headers: Headers): number {
  const usage = Usage.safeParse(parseJson(headers.get('x-business-use-case-usage') ?? '')).data ?? {};
  const minutes = Object.values(usage).flatMap((uses) => uses.map((use) => use.estimated_time_to_regain_access));
  return Math.max(0, ...minutes) * 60 || usualSeconds;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
