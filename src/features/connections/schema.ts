import { z } from 'zod';
import { connectionId, success, timestamp } from '../../foundation/http/shapes.ts';
import { isId } from '../../foundation/lib/ids.ts';
import { returnPages } from './connect/return-cookie.ts';
import { connectionHealths } from './credentials/health.ts';

/** The wire shapes of connections. */

const tokenExpiresIn = z.string().nullable().describe('For example `7d 3h`, `5h`, `< 1h` or `expired`. Null: unknown.');
const lastError = z.object({ message: z.string(), occurredAt: timestamp }).nullable();

const Connection = z
  .object({
    platformId: connectionId,
    username: z.string().nullable(),
    displayName: z.string().nullable(),
    profileImageUrl: z.string().nullable(),
    profileUrl: z.string().nullable(),
    accessTokenExpiresAt: timestamp
      .nullable()
      .describe('Null: the platform does not provide it, which is not a problem.'),
    tokenStatus: z.enum(['valid', 'expiring_soon', 'expired', 'unknown']),
    connectionStatus: z.enum(['active', 'reconnect_required']).describe('Whether publishing can work now.'),
    tokenExpiresIn,
    lastSuccessfulPost: timestamp.nullable(),
    lastError,
    subscriptionType: z.string().nullable().describe('X only: `None`, `Basic`, `Premium` or `PremiumPlus`.'),
    platform: z.string(),
    avatarPath: z
      .string()
      .nullable()
      .describe('The URL of a small copy of the picture on this service. Null: the account has none.'),
    health: z
      .enum(connectionHealths)
      .describe('`expiring`: connect it again before `accessTokenExpiresAt`. `reconnect`: connect it again now.'),
    healthMessage: z.string().describe('Explains `health`, including what to do.'),
    connectedAt: timestamp.describe('When the account was first connected.'),
    userId: z.string().optional().describe('With `brands`: whose connection it is.'),
  })
  .meta({ id: 'Connection', description: 'A connected account.' });

export const ListConnections = z.object({
  brands: z
    .enum(['all'], { error: 'list_brands_invalid' })
    .optional()
    .describe('`all`: your connections and those of all users you manage, with `userId`.'),
});

export const Connections = z.object({ success, connections: z.array(Connection) });

export const ConnectionPath = z.object({ platformId: connectionId });

export const ConnectionTest = z
  .object({
    platform: z.string(),
    platformId: connectionId,
    username: z.string().nullable(),
    status: z.enum(['ok', 'error']),
    message: z.string(),
    permissions: z.array(z.string()).describe('The granted scopes. Empty if none are granted or known.'),
    permissionsKnown: z.boolean().optional().describe('YouTube only. False: the scopes are unknown, not denied.'),
    tokenExpiresIn,
    lastSuccessfulPost: timestamp.nullable(),
    lastError,
  })
  .meta({ id: 'ConnectionTest', description: 'The result of a connection test.' });

const ConnectablePlatform = z
  .object({
    platform: z.string(),
    name: z.string(),
    kind: z.enum(['oauth', 'form']).describe('`oauth`: a consent page of the network. `form`: fields only.'),
    available: z.boolean().describe('False if the operator has not set up an application for this network.'),
    fields: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'JSON Schema of the fields to fill in first. Each line of its `description` is a step to take on the network first.',
      ),
  })
  .meta({ id: 'ConnectablePlatform', description: 'A network whose accounts you can connect.' });

export const Connectables = z.object({ platforms: z.array(ConnectablePlatform) });

export const ConnectPath = z.object({
  platform: z.string().describe('The `id` of a network from `GET /connect`.'),
});
export const ConnectForm = z
  .object({
    fields: z.record(z.string(), z.unknown()).default({}).describe('The values for `fields` of `GET /connect`.'),
    returnTo: z
      .enum(returnPages, { error: 'connect_return_invalid' })
      .optional()
      .describe('The dashboard page to return to after consent. Default: a page that shows the result.'),
  })
  .nullish()
  .transform((form) => form ?? { fields: {}, returnTo: undefined });

const connected = z.array(z.object({ platformId: connectionId, handle: z.string() }));
const accounts = z.array(
  z.object({
    accountId: z.string(),
    handle: z.string(),
    displayName: z.string(),
    avatarUrl: z.string().nullable(),
  }),
);
export const AccountChoice = z.object({ platform: z.string(), accounts });
export const ConnectStarted = z
  .object({
    url: z.string().optional().describe('The consent page to open in a browser.'),
    connected: connected.optional(),
    choice: z
      .object({ id: z.string(), platform: z.string(), accounts })
      .optional()
      .describe('Several accounts to select from, with `POST /connect/choices/{choiceId}`.'),
  })
  .describe('One of three: a consent page, the connected accounts, or a selection of accounts.');

const networkText = z.string().max(8_000);
export const ConnectCallback = z.object({
  state: networkText.optional().describe('Identifies the attempt to connect.'),
  code: networkText.optional().describe("The network's authorization code."),
  iss: networkText.optional().describe('The server that responds.'),
  error: networkText.optional().describe('Why the network returned no code.'),
  error_description: networkText.optional().describe('The same in words.'),
});
export const ChoicePath = z.object({
  choiceId: z
    .string()
    .max(100, { error: 'connect_choice_not_found', abort: true })
    .refine(isId, 'connect_choice_not_found')
    .describe('The `choice.id` of the attempt to connect.'),
});
export const ConnectedPage = z.string().describe('A page that shows what was connected and how to continue.');
export const Choice = z.object({
  accountIds: z
    .array(z.string(), { error: 'connect_choice_invalid' })
    .max(1000, 'connect_choice_invalid')
    .describe('The accounts to connect.'),
});
export const AccountsConnected = z.object({ connected });
