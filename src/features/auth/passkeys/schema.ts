import { z } from 'zod';
import { passkeyLimits } from '../../../foundation/errors/sign-in.ts';
import { timestamp } from '../../../foundation/http/shapes.ts';
import { isId } from '../../../foundation/lib/ids.ts';
import type { PasskeyRow } from './queries.ts';

const Name = z
  .string({ error: 'passkey_name_invalid' })
  .trim()
  .min(1, 'passkey_name_invalid')
  .max(passkeyLimits.nameLength, 'passkey_name_invalid');

const Text = z.string('passkey_response_required').max(20_000, 'passkey_response_required');

/** The authenticator's response, as received by the browser. The verifying library reads these fields. */
const answer = <Shape extends z.core.$ZodLooseShape>(response: Shape) =>
  z
    .looseObject(
      {
        id: Text,
        rawId: Text,
        type: z.literal('public-key', 'passkey_response_required'),
        response: z.looseObject({ clientDataJSON: Text, ...response }, 'passkey_response_required'),
        clientExtensionResults: z.looseObject({}).default({}),
      },
      'passkey_response_required',
    )
    .describe('The credential from the browser: `credential.toJSON()`.');

export const PasskeyParams = z.object({
  passkeyId: z.string().refine(isId, 'passkey_not_found').describe('The `_id` of the passkey.'),
});
export const CreatePasskey = z.object({
  name: Name.optional().describe('Default: browser and operating system.'),
  response: answer({ attestationObject: Text, transports: z.array(z.string().max(50)).max(10).optional() }),
});
export const RenamePasskey = z.object({ name: Name });
export const PasskeyAssertion = answer({ authenticatorData: Text, signature: Text });
export const PasskeySignIn = z.object({ response: PasskeyAssertion });

const Passkey = z
  .object({
    _id: z.string(),
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    synced: z.boolean().describe('Whether the passkey is synced, so that a copy exists outside the device.'),
  })
  .meta({ id: 'Passkey', description: 'A passkey, which signs in without a password.' });
export const Passkeys = z.object({ passkeys: z.array(Passkey) });
export const OnePasskey = z.object({ passkey: Passkey });
export const PasskeyOptions = z.object({
  options: z.looseObject({}).describe('For `navigator.credentials`, as JSON (WebAuthn Level 3).'),
});

export const presentPasskey = ({ id, createdAt, lastUsedAt, ...row }: PasskeyRow): z.infer<typeof Passkey> => ({
  _id: id,
  name: row.name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  synced: row.synced,
});
