import { z } from 'zod';

export const Code = z.string({ error: 'two_factor_code_required' }).min(1, 'two_factor_code_required').max(100);
const Password = z.string({ error: 'password_required' }).min(1, 'password_required');

export const PasswordAgain = z.object({ password: Password.describe('The current password of the user.') });
export const PasswordAndCode = PasswordAgain.extend({
  code: Code.describe('Six digits from the app, or a recovery code. Each code works once.'),
});
export const ConfirmTwoFactor = z.object({ code: Code.describe('The six digits that the app shows.') });
export const FinishSignIn = z.object({
  twoFactorToken: z.string({ error: 'two_factor_token_required' }).min(1, 'two_factor_token_required').max(100),
  code: Code.describe('Six digits from the app, or a recovery code.'),
});

export const TwoFactorStatus = z.object({
  enabled: z.boolean().describe('Whether sign-in requires a code.'),
  recoveryCodesLeft: z.int(),
});
export const TwoFactorSecret = z.object({
  secret: z.string().describe('In base32, to type into the app.'),
  uri: z.string().describe('For a QR code: `otpauth://totp/…`.'),
});
export const RecoveryCodes = z
  .object({
    recoveryCodes: z
      .array(z.string())
      .describe('Only this response contains them. Each replaces a code from the app once.'),
  })
  .meta({ id: 'RecoveryCodes', description: 'Ten codes to use if the user loses the app.' });
export const TwoFactorRequired = z
  .object({
    twoFactorRequired: z.literal(true),
    twoFactorToken: z.string().describe('For `POST /auth/signin/two-factor`, within ten minutes.'),
  })
  .meta({ id: 'TwoFactorRequired', description: 'The password is correct. A code is required next.' });
