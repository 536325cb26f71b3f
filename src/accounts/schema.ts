import { z } from 'zod';
import { timestamp } from '../http/shapes.ts';
import { isId } from '../lib/ids.ts';
import { planKeys } from '../lib/plans.ts';
import type { ApiKeyRow, UserRow } from './queries.ts';

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

export const KeyParams = z.object({
  keyId: z.string().refine(isId, 'api_key_id_invalid').describe('The `_id` of the API key.'),
});

export const CreateApiKey = z.object({
  name: z
    .string({ error: 'api_key_name_invalid' })
    .max(100, 'api_key_name_invalid')
    .nullish()
    .describe('Default: `Default`.'),
});

export const RenameApiKey = z.object({
  name: z.string({ error: 'api_key_name_required' }).max(100, 'api_key_name_too_long'),
});

const ApiKey = z
  .object({
    _id: z.string(),
    name: z.string(),
    keyPrefix: z.string().describe('The part of the key before the dot.'),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the secret part.' });
const rawKey = z.string().describe('The key itself. This response is the only one that has it.');
export const ApiKeys = z.object({ apiKeys: z.array(ApiKey) });
export const CreatedApiKey = Message.extend({ apiKey: ApiKey.extend({ rawKey }) });
export const RenamedApiKey = Message.extend({ apiKey: ApiKey });
export const GeneratedApiKey = Message.extend({ apiKey: rawKey });

export const presentUser = ({ id, email, name, plan }: UserRow): z.infer<typeof User> => ({
  _id: id,
  email,
  name,
  plan,
});

export const presentApiKey = ({ id, name, keyPrefix, createdAt, lastUsedAt }: ApiKeyRow): z.infer<typeof ApiKey> => ({
  _id: id,
  name,
  keyPrefix,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
