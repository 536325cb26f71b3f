import type { ProblemEntries } from './problem-entry.ts';

/** Used in the errors below, and checked where they are thrown. */
export const passkeyLimits = { nameLength: 100, perUser: 20 } as const;
/** How long the secret of a second factor waits for its first code. */
export const secretMinutes = 15;

/** Errors of sessions, two-factor sign-in and passkeys. */
export const signInProblems = {
  session_not_found: { status: 404, error: 'Session not found' },
  password_incorrect: { status: 403, error: 'The password is not correct' },
  recent_sign_in_required: { status: 403, error: 'Sign in again to do this' },

  two_factor_on: { status: 409, error: 'Two-factor sign-in is already on' },
  two_factor_off: { status: 409, error: 'Two-factor sign-in is not on' },
  two_factor_not_started: { status: 409, error: 'There is no secret to confirm' },
  two_factor_code_required: { status: 400, error: 'code is required' },
  two_factor_code_invalid: { status: 400, error: 'The code is wrong' },
  two_factor_code_wrong: { status: 401, error: 'The code is wrong or was used before' },
  two_factor_token_required: { status: 400, error: 'twoFactorToken is required' },
  two_factor_token_invalid: { status: 401, error: 'This sign-in has expired or had too many wrong codes' },
  two_factor_codes_limited: {
    status: 429,
    error: 'Too many wrong codes were entered for this account. Wait for the number of seconds in Retry-After.',
  },

  passkey_name_invalid: {
    status: 400,
    error: `Name must be a string with 1 to ${passkeyLimits.nameLength} characters`,
  },
  passkey_response_required: { status: 400, error: 'response is required' },
  passkey_refused: { status: 400, error: 'The passkey could not be verified' },
  passkey_limit: { status: 400, error: `Maximum of ${passkeyLimits.perUser} passkeys allowed` },
  passkey_not_found: { status: 404, error: 'Passkey not found' },
  passkey_sign_in_failed: { status: 401, error: 'Sign-in with this passkey failed' },
} as const satisfies ProblemEntries;
