import { z } from 'zod';
import { planKeys } from '../../config/plans.ts';
import { accountLimits } from '../../foundation/errors/accounts.ts';
import { timestamp } from '../../foundation/http/shapes.ts';
import type { UserRow } from './queries.ts';

export const Email = z
  .string({ error: 'invalid_email' })
  .trim()
  .toLowerCase()
  .max(254, 'invalid_email')
  .check(z.email({ error: 'invalid_email' }));

export const Password = z
  .string({ error: 'invalid_password' })
  .min(accountLimits.passwordLength.min, 'invalid_password')
  .max(accountLimits.passwordLength.max, 'invalid_password');

/** `token` in a link that works once. An impossible value gets the same response as an expired link. */
export const LinkToken = z.string({ error: 'link_token_invalid' }).max(200, 'link_token_invalid');

export const SignUp = z.object({
  email: Email,
  password: Password.optional().describe(
    'Required, unless this Crier verifies addresses: then it can be set later, as `password` in `POST /auth/verify-email`.',
  ),
  name: z.string({ error: 'invalid_user_name' }).trim().max(accountLimits.nameLength, 'invalid_user_name').optional(),
  token: LinkToken.optional().describe('`token` from the link of an invitation.'),
});

/** A new user from the admin command, which has no route that validates its input. */
export const NewUser = SignUp.omit({ token: true }).extend({ password: Password, plan: z.enum(planKeys).optional() });

export const NewInvitation = z.object({ email: Email, plan: z.enum(planKeys).optional() });

export const NewPlan = z.object({ plan: z.enum(planKeys), connections: z.int().positive().optional() });

export const SignIn = z.object({
  email: Email,
  password: z.string({ error: 'password_required' }).min(1, 'password_required'),
});

const User = z
  .object({ _id: z.string(), email: z.string(), name: z.string(), plan: z.enum(planKeys) })
  .meta({ id: 'User', description: 'A person who can sign in.' });
export const SignedIn = z
  .object({
    accessToken: z.string().describe('For `Authorization: Bearer`. The session is also set as a cookie.'),
    user: User,
  })
  .meta({ id: 'SignedIn', description: 'The new session.' });
export const VerificationSent = z
  .object({ message: z.string() })
  .meta({ id: 'VerificationSent', description: 'The response is the same whether or not the address has an account.' });
export const WhoAmI = z.object({
  user: User,
  deletionAt: timestamp
    .optional()
    .describe('When the account will be deleted, as the user has asked. Absent if the account stays.'),
});
export const Message = z.object({ message: z.string() });

export const presentUser = ({ id, email, name, plan }: UserRow): z.infer<typeof User> => ({
  _id: id,
  email,
  name,
  plan,
});
