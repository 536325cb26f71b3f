import { z } from 'zod';
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

/** What makes a user, from wherever: the admin command has no route in front that checks it. */
export const NewUser = SignUp.extend({ plan: z.enum(planKeys) });

export const NewPlan = z.object({ plan: z.enum(planKeys), connections: z.int().positive().optional() });

export const SignIn = z.object({
  email: Email,
  password: z.string({ error: 'password_required' }).min(1, 'password_required'),
});

const User = z.object({ _id: z.string(), email: z.string(), name: z.string(), plan: z.enum(planKeys) });
export const SignedIn = z.object({ accessToken: z.string(), user: User });
export const WhoAmI = z.object({ user: User });
export const Message = z.object({ message: z.string() });

export const KeyParams = z.object({ keyId: z.string().refine(isId, 'api_key_id_invalid') });

export const CreateApiKey = z.object({
  name: z.string({ error: 'api_key_name_invalid' }).max(100, 'api_key_name_invalid').optional(),
});

export const RenameApiKey = z.object({
  name: z.string({ error: 'api_key_name_required' }).max(100, 'api_key_name_too_long'),
});

const ApiKey = z.object({
  _id: z.string(),
  name: z.string(),
  keyPrefix: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export const ApiKeys = z.object({ apiKeys: z.array(ApiKey) });
export const CreatedApiKey = Message.extend({ apiKey: ApiKey.extend({ rawKey: z.string() }) });
export const RenamedApiKey = Message.extend({ apiKey: ApiKey });
export const GeneratedApiKey = Message.extend({ apiKey: z.string() });

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
