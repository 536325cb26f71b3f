import { type output, type ZodType, z } from 'zod';
import { redact } from '../../lib/redact.ts';
import { type FailureKind, type PlatformClient, PlatformError, secret } from '../kit/index.ts';

export const Credentials = z.object({ accessToken: secret(), refreshToken: secret() });
export type Credentials = output<typeof Credentials>;

// The network's answers, as far as we read them.
export const Token = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive(),
  refresh_token_expires_in: z.number().positive().optional(),
  scope: z.string().default(''),
});
export type Token = output<typeof Token>;
export const UserAccount = z.object({
  /** Left out of some answers. */
  id: z.string().regex(/^\d+$/).optional(),
  username: z.string().regex(/^[^\s/?#]+$/),
  business_name: z.string().nullish(),
  profile_image: z.string().nullish(),
});

interface Call {
  path: string;
  authorization: string;
  form?: Record<string, string>;
  /** What the answer must not show, should it repeat what was sent. */
  secrets: readonly string[];
}

export async function call<T extends ZodType>(answer: T, request: Call, ctx: PlatformClient): Promise<output<T>> {
  const { path, authorization, form, secrets } = request;
  const response = await ctx.fetch(`https://api.pinterest.com/v5${path}`, {
    headers: { accept: 'application/json', authorization },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  const { ok, status } = response;
  // Of a failure the status has arrived: a body that breaks off changes nothing.
  const body = parseJson(await (ok ? response.text() : response.text().catch(() => '')));
  if (!ok) throw failure(response, body, request);
  const parsed = answer.safeParse(body);
  if (parsed.success) return parsed.data;
  const reason = redact(z.prettifyError(parsed.error), secrets);
  throw new PlatformError('unavailable', 'Pinterest gave an answer that makes no sense.', { status, reason });
}

const signInRefused =
  'Pinterest does not accept the sign-in. Connect again. If that does not help, the operator of this service has to check its application at Pinterest.';

/** By the status: the codes are not documented. */
const meanings: Readonly<Record<number, readonly [kind: FailureKind, message: string]>> = {
  401: ['auth', 'Pinterest no longer accepts the access token. Connect the account again.'],
  403: ['auth', 'Pinterest does not permit this. Connect the account again, and allow all that is asked.'],
  429: ['rate_limited', 'Pinterest asks to slow down.'],
};
const ErrorBody = z.object({ message: z.string().min(1) });

function failure({ status, statusText, headers }: Response, body: unknown, { form, secrets }: Call): PlatformError {
  const said = ErrorBody.safeParse(body).data?.message ?? `${status} ${statusText}`.trim();
  const reason = redact(said, secrets);
  if (status >= 500) return new PlatformError('unavailable', 'Pinterest is in trouble.', { status, reason });
  if (form && (status === 400 || status === 401)) return new PlatformError('auth', signInRefused, { status, reason });
  const [kind, message] = meanings[status] ?? ['rejected', 'Pinterest refused this.'];
  const retryAfterSeconds = kind === 'rate_limited' ? secondsToReset(headers) : undefined;
  return new PlatformError(kind, message, { status, reason, retryAfterSeconds });
}

/** For an answer that does not say. */
const windowSeconds = 60;

function secondsToReset(headers: Headers): number {
  const seconds = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  return seconds > 0 ? Math.ceil(seconds) : windowSeconds;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
