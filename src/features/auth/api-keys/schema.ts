import { z } from 'zod';
import { accountLimits } from '../../../foundation/errors/accounts.ts';
import { scopeNames, scopes } from '../../../foundation/http/scopes.ts';
import { timestamp } from '../../../foundation/http/shapes.ts';
import { addressRange } from '../../../foundation/lib/address-ranges.ts';
import { isId } from '../../../foundation/lib/ids.ts';
import { parseInstant } from '../../../foundation/time/times.ts';
import type { ApiKeyRow } from '../../users/queries.ts';
import { Message } from '../../users/schema.ts';

export const KeyParams = z.object({
  keyId: z.string().refine(isId, 'api_key_id_invalid').describe('The `_id` of the API key.'),
});

const scope = z.enum(scopeNames, { error: 'api_key_scopes_invalid' }).meta({
  id: 'Scope',
  description: `What a key can be used for: ${Object.entries(scopes)
    .map(([name, what]) => `\`${name}\` ${what}`)
    .join('; ')}.`,
});

/** The restrictions of a key. */
const rules = {
  scopes: z
    .array(scope, { error: 'api_key_scopes_invalid' })
    .min(1, 'api_key_scopes_invalid')
    .max(100, 'api_key_scopes_invalid')
    .transform((given) => scopeNames.filter((name) => given.includes(name)))
    .nullish()
    .describe('Default and null: all scopes.'),
  expiresAt: z
    .string({ error: 'api_key_expiry_invalid' })
    .transform((text) => parseInstant(text))
    .refine((time) => time !== null, 'api_key_expiry_invalid')
    .nullish()
    .describe('When the key stops working. Default and null: never.'),
  allowedAddresses: z
    .array(z.string({ error: 'api_key_addresses_invalid' }), { error: 'api_key_addresses_invalid' })
    .max(accountLimits.addressesPerKey, 'api_key_addresses_invalid')
    .transform((texts) => texts.map((text) => addressRange(text)))
    .refine((ranges) => ranges.every((range) => range !== null), 'api_key_addresses_invalid')
    .transform((ranges) => [...new Set(ranges)])
    .nullish()
    .describe('IP addresses and CIDR ranges from which the key works. Default and null: any address.'),
};

export const CreateApiKey = z.object({
  name: z
    .string({ error: 'api_key_name_invalid' })
    .max(accountLimits.nameLength, 'api_key_name_invalid')
    .nullish()
    .describe('Default: `Default`.'),
  ...rules,
});

export const ChangeApiKey = z
  .object({
    name: z
      .string({ error: 'api_key_name_required' })
      .max(accountLimits.nameLength, 'api_key_name_too_long')
      .optional(),
    ...rules,
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'api_key_name_required');

const ApiKey = z
  .object({
    _id: z.string(),
    name: z.string(),
    keyPrefix: z.string().describe('The part of the key before the dot.'),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    scopes: z.array(scope),
    expiresAt: timestamp.nullable(),
    allowedAddresses: z.array(z.string()).describe('Empty: any address.'),
    application: z
      .string()
      .nullable()
      .describe('The application that received the key when you approved it. Null: you created the key.'),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without the secret part.' });
const rawKey = z.string().describe('The key itself. Only this response contains it.');
export const ApiKeys = z.object({ apiKeys: z.array(ApiKey) });
export const CreatedApiKey = Message.extend({ apiKey: ApiKey.extend({ rawKey }) });
export const ChangedApiKey = Message.extend({ apiKey: ApiKey });
export const GeneratedApiKey = Message.extend({ apiKey: rawKey });

export const presentApiKey = ({ id, name, keyPrefix, ...key }: ApiKeyRow): z.infer<typeof ApiKey> => ({
  _id: id,
  name,
  keyPrefix,
  createdAt: key.createdAt.toISOString(),
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  scopes: [...key.scopes],
  expiresAt: key.expiresAt?.toISOString() ?? null,
  allowedAddresses: [...key.allowedAddresses],
  application: key.application,
});
