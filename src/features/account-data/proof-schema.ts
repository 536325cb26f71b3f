import { z } from 'zod';
import { PasskeyAssertion } from '../auth/passkeys/schema.ts';
import { Code } from '../auth/two-factor/schema.ts';

/** What the user proves again, although they are signed in. */
export const Proof = z.object({
  password: z
    .string({ error: 'password_required' })
    .min(1, 'password_required')
    .max(1000, 'password_required')
    .optional()
    .describe('The current password of the user. Required without `passkey`.'),
  code: Code.optional().describe(
    'With `password`, if two-factor sign-in is on: six digits from the app, or a recovery code.',
  ),
  passkey: PasskeyAssertion.optional().describe(
    'Instead of the password: the credential that the browser returned for the options from `POST /auth/passkeys/sign-in/options`.',
  ),
});
