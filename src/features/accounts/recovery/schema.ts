import { z } from 'zod';
import { Code } from '../../auth/two-factor/schema.ts';
import { Email, LinkToken, Password } from '../../users/schema.ts';

const CurrentPassword = z
  .string({ error: 'password_required' })
  .min(1, 'password_required')
  .max(1000, 'password_required');

const endAccess = z
  .boolean()
  .optional()
  .describe(
    'True: also ends all passkeys, API keys, connected applications and webhooks of the user, and their membership in a ' +
      'workspace. For a workspace owner it also ends the current keys, connection links and webhooks of ' +
      'managed users. Default: they stay valid.',
  );

export const ChangePassword = z.object({ currentPassword: CurrentPassword, newPassword: Password, endAccess });
export const ChangeEmail = z.object({
  newEmail: Email,
  password: CurrentPassword,
  code: Code.optional().describe(
    'Six digits from the app, or a recovery code. Each code works once. Required if two-factor sign-in is on.',
  ),
});

export const ForgotPassword = z.object({ email: Email });

const token = LinkToken.describe('`token` from the link in the email.');
export const ResetPassword = z.object({
  token,
  newPassword: Password,
  endAccess,
});
export const VerifyEmail = z.object({
  token,
  password: Password.optional().describe('Replaces the password from the sign-up. Required if the sign-up had none.'),
});
/** The page always asks for a password, because someone else may have signed up with the address. */
export const VerifyEmailForm = VerifyEmail.extend({ password: Password });
