import { z } from 'zod';
import { planKeys } from '../lib/plans.ts';
import type { UserRow } from './queries.ts';

export const Email = z
  .string({ error: 'invalid_email' })
  .trim()
  .toLowerCase()
  .max(254, 'invalid_email')
  .check(z.email({ error: 'invalid_email' }));

const Password = z.string({ error: 'invalid_password' }).min(8, 'invalid_password').max(128, 'invalid_password');

export const SignUp = z.object({
  email: Email,
  password: Password,
  name: z.string({ error: 'invalid_user_name' }).trim().max(100, 'invalid_user_name').optional(),
});

/** A new user by any way: the admin command has no route in front that validates its input. */
export const NewUser = SignUp.extend({ plan: z.enum(planKeys).optional() });

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
export const WhoAmI = z.object({ user: User });
export const Message = z.object({ message: z.string() });

export const presentUser = ({ id, email, name, plan }: UserRow): z.infer<typeof User> => ({
  _id: id,
  email,
  name,
  plan,
});
