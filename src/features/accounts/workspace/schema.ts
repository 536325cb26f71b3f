import { z } from 'zod';
import { accountLimits } from '../../../foundation/errors/accounts.ts';
import type { ProblemKey } from '../../../foundation/errors/index.ts';
import { labelColours } from '../../../foundation/errors/labels.ts';
import { timestamp } from '../../../foundation/http/shapes.ts';
import { isId } from '../../../foundation/lib/ids.ts';
import { plainName } from '../../users/plain-name.ts';
import { Email } from '../../users/schema.ts';
import type { Attachment } from './attach-user.ts';
import { type ConnectionLink, openLink } from './connection-links.ts';
import type { ManagedUserRow } from './queries.ts';

/** In lower case and trimmed. An empty text stays empty. */
const emailOr = (missing: ProblemKey) =>
  z
    .string({ error: ({ input }) => (input == null ? missing : 'workspace_email_invalid') })
    .trim()
    .toLowerCase()
    .refine((text) => text === '' || Email.safeParse(text).success, 'workspace_email_invalid');

export const CreateManagedUser = z.object(
  {
    username: emailOr('workspace_email_required')
      .refine((text) => text !== '', 'workspace_email_required')
      .meta({ description: 'The email address of the new user.' }),
    displayName: z
      .string({ error: 'display_name_invalid' })
      .trim()
      .max(accountLimits.nameLength, 'display_name_invalid')
      .nullish()
      .meta({ description: 'Default: the email address.' }),
  },
  { error: 'workspace_email_required' },
);

/** Missing fields stay unchanged. */
export const ChangeManagedUser = z
  .object({
    displayName: z
      .string({ error: 'display_name_invalid' })
      .max(accountLimits.nameLength, 'display_name_invalid')
      .transform(plainName)
      .refine((name) => name !== '', 'display_name_empty')
      .optional(),
    colour: z
      .enum(labelColours, { error: 'brand_colour_invalid' })
      .optional()
      .describe('The colour of this brand in the calendar.'),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), 'profile_empty');

const attachEmail = emailOr('attach_identifier_missing').nullish();
const consentToken = z.string({ error: 'attach_consent_invalid' }).nullish();

export const AttachUser = z
  .object(
    {
      email: attachEmail,
      username: attachEmail.meta({ description: 'Alias of `email`.' }),
      userId: z
        .string({ error: 'attach_user_id_invalid' })
        .toLowerCase()
        .refine((text) => text === '' || isId(text), 'attach_user_id_invalid')
        .nullish()
        .meta({ description: 'Instead of `email`.' }),
      userAccessToken: consentToken.meta({
        description:
          'The consent of the user: the `attachToken` from `POST /auth/attach-token`, or the `accessToken` of a session of the user.',
      }),
      attachToken: consentToken.meta({ description: 'Alias of `userAccessToken`.' }),
    },
    { error: 'attach_identifier_missing' },
  )
  .refine(({ email, username, userId }) => email || username || userId, 'attach_identifier_missing');

export const AttachHeaders = z.object({
  'x-service-user-token': z.string().optional().describe('Same as `userAccessToken` in the body.'),
});

/** Takes each value from the first of its names that is not empty. */
export const attachmentOf = (body: z.infer<typeof AttachUser>, headerToken: string | undefined): Attachment => ({
  email: body.email || body.username || null,
  userId: body.userId || null,
  consentToken: body.userAccessToken || body.attachToken || headerToken || null,
});

export const ManagedUserPath = z.object({
  userId: z.string().toLowerCase().refine(isId, 'managed_user_id_invalid').describe('The `_id` of a managed user.'),
});

export const NewConnectionUrl = z.object({
  expiresInDays: z
    .number({ error: 'link_days_invalid' })
    .positive('link_days_invalid')
    .default(90)
    .meta({ description: 'How long a new link works. A reused link keeps its expiry.' }),
  rotate: z
    .boolean({ error: 'link_rotate_invalid' })
    .default(false)
    .meta({ description: 'True: replace the link even if it is still valid.' }),
});

const ManagedUser = z
  .object({
    _id: z.string(),
    username: z.string().describe('The email address.'),
    displayName: z.string(),
    role: z.literal('managed'),
    colour: z
      .enum(labelColours)
      .optional()
      .describe('The colour of this brand in the dashboard. Absent until one is chosen.'),
    avatarPath: z
      .string()
      .optional()
      .describe('The picture of this brand on this service. Changes with the picture. Absent without one.'),
    dailyPostsLeft: z.number().describe('Informational, not enforced.'),
    connectionsPageUrl: z
      .string()
      .nullable()
      .describe('A valid link to connect accounts, if there is one. Null for a limited key.'),
    connectionsPageTokenExpiresAt: timestamp.nullable(),
  })
  .meta({ id: 'WorkspaceUser', description: 'A user managed by a workspace owner.' });
export const ManagedUsers = z.object({ users: z.array(ManagedUser) });
export const ManagedUserCreated = z.object({ user: ManagedUser });
export const UserAttached = z.object({
  user: ManagedUser.extend({ isActive: z.boolean() }),
  alreadyInWorkspace: z.boolean(),
});
export const ManagedUserKey = z.object({
  message: z.string(),
  apiKey: z.string().describe('The key itself. Only this response contains it.'),
  userId: z.string(),
});
export const AttachToken = z.object({
  attachToken: z.string().describe('The token. Only this response contains it.'),
  expiresAt: timestamp,
});
export const ConnectionUrl = z.object({ url: z.string(), tokenExpiresAt: timestamp });

export function presentManagedUser(
  app: Parameters<typeof openLink>[0],
  { id, email, name, colour, avatarAt, link }: ManagedUserRow,
  maySeeLink: boolean,
): z.infer<typeof ManagedUser> {
  const open = maySeeLink ? openLink(app, id, link) : null;
  return {
    _id: id,
    username: email,
    displayName: name,
    role: 'managed',
    ...(colour && { colour }),
    ...(avatarAt && { avatarPath: `/api/v1/workspace/users/${id}/avatar?at=${avatarAt.getTime()}` }),
    dailyPostsLeft: 100,
    connectionsPageUrl: open?.url ?? null,
    connectionsPageTokenExpiresAt: open?.expiresAt.toISOString() ?? null,
  };
}

export const presentLink = ({ url, expiresAt }: ConnectionLink): z.infer<typeof ConnectionUrl> => ({
  url,
  tokenExpiresAt: expiresAt.toISOString(),
});
