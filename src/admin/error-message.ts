import { CommanderError } from 'commander';
import { ConfigurationError } from '../config.ts';
import { OtherVersionError } from '../db/migrate.ts';
import { Problem, type ProblemKey } from '../errors.ts';
import { PlatformError } from '../platforms/kit/index.ts';
import { StartError } from '../startup/start-error.ts';

/** A command that failed for a reason that the administrator can fix. */
export class AdminError extends Error {
  override name = 'AdminError';
}

/** A command that was written wrongly. */
export class UsageError extends AdminError {
  override name = 'UsageError';
}

/** The texts of the API are for its clients. These add what an administrator can do. */
const remedies: Partial<Record<ProblemKey, string>> = {
  email_taken: 'Use another e-mail, or create a key for that user with create-key.',
  invalid_email: 'Use an address like ada@example.com.',
  invalid_password: 'Choose another password.',
  weak_password: 'Choose a longer one, such as four words that have nothing to do with each other.',
  api_key_limit: 'Revoke one of the user’s keys first.',
  api_key_not_found: 'list-keys shows the keys that work, with their ids and prefixes.',
  api_key_ambiguous: 'Use its id, which list-keys shows.',
  user_has_managed_users: 'Delete those first, or let them leave the workspace.',
  two_factor_off: 'The user can sign in with the password alone.',
  plan_without_api: 'Choose another plan with set-plan.',
};

/** What went wrong and how to fix it, in one or two sentences and without a stack. */
export function errorMessage(error: unknown): string {
  const { message, hint } = describeError(error);
  return [message, hint].filter(Boolean).join(' ');
}

/** The same for programs. */
export function describeError(error: unknown): { code?: string; message: string; hint?: string } {
  if (error instanceof Problem) {
    const hint = remedies[error.key];
    return { code: error.code, message: sentence(textOf(error)), ...(hint && { hint }) };
  }
  if (error instanceof CommanderError) return { message: sentence(error.message.replace(/^error: /, '')) };
  if (mendable.some((kind) => error instanceof kind)) return { message: (error as Error).message };
  if (error instanceof PlatformError)
    return { message: sentence([error.message, error.reason].filter(Boolean).join(' ')) };
  const message = error instanceof Error ? error.message : String(error);
  return { message: `Unexpected error: ${message}. Please report this as a bug.` };
}

/** Their messages say what to do. */
const mendable = [ConfigurationError, StartError, OtherVersionError, AdminError];

const textOf = ({ body, message }: Problem) => (typeof body.error === 'string' ? body.error : message);

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
