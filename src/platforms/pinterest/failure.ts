import { z } from 'zod';
import { commonErrors, type KnownError, refusal, secondsIn, type VendorApi } from '../kit/index.ts';

const common = commonErrors('Pinterest');

/** By status, because Pinterest does not document its codes. */
const knownErrors: ReadonlyMap<number, KnownError> = new Map([
  [401, common.tokenRejected],
  [403, common.permissionMissing],
  [429, common.rateLimited],
]);

const signInRejected: KnownError = {
  kind: 'auth',
  message:
    'Pinterest rejected the sign-in. Reconnect the account. If that does not help, the operator of this service must check its application on Pinterest.',
};

export const failureIn: VendorApi['failureIn'] = (response, body, call) =>
  response.ok ? null : failureOf(response, body, knownErrors.get(response.status), call.secrets);

/**
 * At the token endpoint, these statuses are about the code, the refresh token or the application, never an access
 * token.
 */
export const signInFailureIn: VendorApi['failureIn'] = (response, body, call) =>
  response.status === 400 || response.status === 401
    ? failureOf(response, body, signInRejected, call.secrets)
    : failureIn(response, body, call);

const ErrorBody = z.object({ message: z.string() });
/** The default wait, for a response that does not give one. */
const windowSeconds = 60;

function failureOf(response: Response, body: unknown, known: KnownError | undefined, secrets: readonly string[]) {
  const said = ErrorBody.safeParse(body).data?.message ?? '';
  const retryAfterSeconds = secondsIn('x-ratelimit-reset', response.headers) ?? windowSeconds;
  return refusal(response, { name: 'Pinterest', said, known, secrets, retryAfterSeconds });
}
