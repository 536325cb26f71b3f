import { z } from 'zod';
import { timestamp } from '../http/shapes.ts';
import { isId } from '../lib/ids.ts';
import type { ApiKeyRow } from './queries.ts';
import { Message } from './schema.ts';

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

export const presentApiKey = ({ id, name, keyPrefix, createdAt, lastUsedAt }: ApiKeyRow): z.infer<typeof ApiKey> => ({
  _id: id,
  name,
  keyPrefix,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
