import { CommanderError } from 'commander';
import { ConfigurationError } from '../../config/config.ts';
import { codeOf } from '../../features/publishing/attempt/failures.ts';
import { OtherVersionError } from '../../foundation/db/migrate.ts';
import { Problem, type ProblemKey } from '../../foundation/errors/index.ts';
import { PlatformError } from '../../platforms/kit/index.ts';
import { StartError } from '../../startup/start-error.ts';

/** A command failed for a reason that the administrator can fix. The message says what happened, then what to do. */
export class AdminError extends Error {
  override name = 'AdminError';
  readonly code: string;
  constructor(message: string, code = 'COMMAND_FAILED') {
    super(message);
    this.code = code;
  }
}

/** The command line is invalid. */
export class UsageError extends AdminError {
  override name = 'UsageError';
  constructor(message: string) {
    super(message, 'WRONG_USE');
  }
}

/** The API's texts are written for its clients. These add what an administrator can do. */
const remedies: Partial<Record<ProblemKey, string>> = {
  email_taken: 'Use another email, or create a key for that user with create-key.',
  invalid_email: 'Use an address like ada@example.com.',
  invalid_password: 'Choose another password.',
  weak_password: 'Choose a longer one, such as four unrelated words.',
  api_key_limit: 'Revoke one of the user’s keys first.',
  api_key_not_found: 'list-keys shows the active keys with their ids and prefixes.',
  api_key_ambiguous: 'Use the id, which list-keys shows.',
  user_has_managed_users: 'Delete those users first, or have them leave the workspace.',
  two_factor_off: 'The user can sign in with the password alone.',
  plan_without_api: 'Choose another plan with set-plan.',
};

/** What went wrong and how to fix it, in one or two sentences and without a stack. */
export function errorMessage(error: unknown): string {
  const { message, hint } = describeError(error);
  return [message, hint].filter(Boolean).join(' ');
}

/** Same, for programs. */
export function describeError(error: unknown): { code: string; message: string; hint?: string } {
  if (error instanceof Problem) {
    const hint = remedies[error.key];
    return { code: error.code, message: sentence(textOf(error)), ...(hint && { hint }) };
  }
  if (error instanceof CommanderError) {
    const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
    const hint = suggestion?.replace(/^\((.*)\)$/, '$1');
    return { code: 'WRONG_USE', message: sentence(message), ...(hint && { hint }) };
  }
  if (error instanceof AdminError) return { code: error.code, ...sentences(error.message) };
  if (error instanceof ConfigurationError) return { code: 'CONFIGURATION_INVALID', message: error.message };
  if (error instanceof OtherVersionError) return { code: 'OTHER_VERSION', ...sentences(error.message) };
  if (error instanceof StartError) return { code: 'CANNOT_START', ...sentences(error.message) };
  if (error instanceof PlatformError) {
    return { code: codeOf(error), message: sentence([error.message, error.reason].filter(Boolean).join(' ')) };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'INTERNAL', message: `Unexpected error: ${message}.`, hint: 'Please report this as a bug.' };
}

/** The first sentence says what happened, the others what to do. A name in quotes may contain anything. */
function sentences(text: string): { message: string; hint?: string } {
  const [, message = text, hint] = /^((?:"[^"]*"|[^"])*?\.)\s+(?=[A-Z])(.+)$/s.exec(text) ?? [];
  return { message, ...(hint && { hint }) };
}

const textOf = ({ body, message }: Problem) => (typeof body.error === 'string' ? body.error : message);

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
