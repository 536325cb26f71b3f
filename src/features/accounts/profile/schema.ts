import { z } from 'zod';
import { accountLimits } from '../../../foundation/errors/accounts.ts';
import { timestamp } from '../../../foundation/http/shapes.ts';
import { plainName } from '../../users/plain-name.ts';
import type { ProfileOfMember } from './queries.ts';

const weekStart = z.enum(['monday', 'sunday', 'saturday']).describe('The first day of a week.');
const hourCycle = z.enum(['12', '24']).nullable().describe('How times are shown. Null: the default for the language.');
const timeZone = z.string().nullable().describe('An IANA time zone name. Null: the time zone of the browser.');
const language = z.string().nullable().describe('A BCP 47 language tag. Null: the language of the browser.');
const isWelcomeDone = z.boolean().describe('Whether the first steps were completed or dismissed.');

const dismissedFailures = z
  .array(z.string())
  .describe(
    'Failed posts that “Needs attention” no longer shows: post group ids, each with the version that was dismissed.',
  );

export const Profile = z
  .object({
    name: z.string(),
    email: z.string(),
    timeZone,
    weekStart,
    hourCycle,
    language,
    isWelcomeDone,
    dismissedFailures,
    workspaceOwner: z
      .object({ name: z.string(), email: z.string() })
      .nullable()
      .describe('The owner of the workspace that the user belongs to, who can act for the user. Null: no workspace.'),
    hasWorkspace: z.boolean().describe('Whether the user can manage others: `GET /workspace/users` lists them.'),
    canSetUpWorkspace: z
      .boolean()
      .describe(
        'Whether `POST /auth/workspace` is allowed (by the plan, or in the sandbox), and there is no workspace yet.',
      ),
    createdAt: timestamp,
  })
  .meta({ id: 'Profile', description: 'The signed-in user and their date and time preferences.' });

/** Missing fields stay unchanged. */
export const UpdateProfile = z
  .object({
    name: z
      .string({ error: 'profile_name_invalid' })
      .max(accountLimits.nameLength, 'profile_name_invalid')
      .transform(plainName)
      .refine((name) => name !== '', 'profile_name_invalid')
      .optional(),
    timeZone: z
      .string({ error: 'profile_time_zone_invalid' })
      .refine(isTimeZone, 'profile_time_zone_invalid')
      .nullable()
      .optional()
      .describe(timeZone.description!),
    weekStart: weekStart.optional(),
    hourCycle: hourCycle.optional(),
    language: z
      .string({ error: 'profile_language_invalid' })
      .refine(isLanguage, 'profile_language_invalid')
      .transform((tag) => new Intl.Locale(tag).toString())
      .nullable()
      .optional()
      .describe(language.description!),
    dismissedFailures: z
      .array(
        z
          .string({ error: 'profile_dismissed_invalid' })
          .max(34, 'profile_dismissed_invalid')
          .regex(/^[0-9a-f]{24}:\d{1,9}$/, 'profile_dismissed_invalid'),
        { error: 'profile_dismissed_invalid' },
      )
      .max(accountLimits.dismissedFailures, 'profile_dismissed_invalid')
      .transform((ids) => [...new Set(ids)])
      .optional()
      .describe(dismissedFailures.description!),
    isWelcomeDone: z.literal(true).optional().describe('Hides the first steps permanently.'),
  })
  .refine((changes) => Object.values(changes).some((value) => value !== undefined), 'profile_empty');

/** Intl also accepts offsets such as `+01:00`, which have no daylight saving time and are unsuitable for scheduling. */
function isTimeZone(name: string): boolean {
  if (name.length > 100 || /^[+-]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

function isLanguage(tag: string): boolean {
  if (tag.length > 35) return false;
  try {
    return new Intl.Locale(tag).language !== '';
  } catch {
    return false;
  }
}

export const presentProfile = ({ welcomeDoneAt, createdAt, ...row }: ProfileOfMember): z.infer<typeof Profile> => ({
  ...row,
  isWelcomeDone: welcomeDoneAt !== null,
  createdAt: createdAt.toISOString(),
});
