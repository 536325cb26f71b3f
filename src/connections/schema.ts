import { z } from 'zod';
import { isId } from '../lib/ids.ts';

/** The wire shapes of connections. */

const timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC' });
const tokenExpiresIn = z.string().nullable().describe('7d 3h, 5h, < 1h, expired, or null.');
const lastError = z.object({ message: z.string(), occurredAt: timestamp }).nullable();

const Connection = z.object({
  platformId: z.string().describe('<platform>-<id>: what `platforms` of a post names.'),
  username: z.string().nullable(),
  displayName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  profileUrl: z.string().nullable(),
  accessTokenExpiresAt: timestamp.nullable(),
  tokenStatus: z.enum(['valid', 'expiring_soon', 'expired', 'unknown']),
  connectionStatus: z.enum(['active', 'reconnect_required']),
  tokenExpiresIn,
  lastSuccessfulPost: timestamp.nullable(),
  lastError,
  subscriptionType: z.string().nullable().describe('X only: None, Basic, Premium or PremiumPlus.'),
});

export const Connections = z.object({ success: z.literal(true), connections: z.array(Connection) });

export const ConnectionPath = z.object({ platformId: z.string() });

export const ConnectionTest = z.object({
  platform: z.string(),
  platformId: z.string(),
  username: z.string().nullable(),
  status: z.enum(['ok', 'error']),
  message: z.string(),
  permissions: z.array(z.string()),
  permissionsKnown: z.boolean().optional(),
  tokenExpiresIn,
  lastSuccessfulPost: timestamp.nullable(),
  lastError,
});

export const Connectables = z.object({
  platforms: z.array(
    z.object({
      platform: z.string(),
      name: z.string(),
      kind: z.enum(['oauth', 'form']),
      available: z.boolean().describe('False where the operator has set up no application.'),
      fields: z.record(z.string(), z.unknown()).nullable().describe('JSON Schema of what to fill in first.'),
    }),
  ),
});

export const ConnectPath = z.object({ platform: z.string() });
export const ConnectForm = z.object({ fields: z.record(z.string(), z.unknown()).default({}) });

const connected = z.array(z.object({ platformId: z.string(), handle: z.string() }));
const accounts = z.array(
  z.object({
    accountId: z.string(),
    handle: z.string(),
    displayName: z.string(),
    avatarUrl: z.string().nullable(),
  }),
);
export const AccountChoice = z.object({ platform: z.string(), accounts });
export const ConnectStarted = z.object({
  url: z.string().optional().describe('The consent page to send the person to.'),
  connected: connected.optional(),
  choice: z
    .object({
      id: z.string(),
      platform: z.string(),
      accounts,
    })
    .optional()
    .describe('Several accounts to choose from: POST /connect/choices/{choiceId}.'),
});

export const ConnectCallback = z.object({
  state: z.string().optional(),
  code: z.string().optional(),
  error: z.string().optional(),
});
export const ChoicePath = z.object({ choiceId: z.string().refine(isId, 'connect_choice_not_found') });
export const ConnectedPage = z.string().describe('A page for the person: what came of it, and the way on.');
export const Choice = z.object({ accountIds: z.array(z.string(), { error: 'connect_choice_invalid' }) });
export const AccountsConnected = z.object({ connected });
export const Disconnected = z.object({ success: z.literal(true) });
