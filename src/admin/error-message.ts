import { ConfigurationError } from '../config.ts';
import { Problem, type ProblemKey } from '../errors.ts';
import { PlatformError } from '../platforms/kit/index.ts';
import { StartError } from '../startup/start-error.ts';

/** A command that cannot do what was asked, for a reason that whoever asked can mend. */
export class AdminError extends Error {
  override name = 'AdminError';
}

/** The texts of the API are for its callers: what an administrator can do is said here. */
const remedies: Partial<Record<ProblemKey, string>> = {
  email_taken: 'Choose another e-mail, or make a key for that user with create-key.',
  invalid_email: 'Write it like ada@example.com.',
  invalid_password: 'Choose another one.',
  api_key_limit: 'Revoke one of the user’s keys first.',
  plan_without_api: 'Choose another one with set-plan.',
};

/** One sentence on what went wrong and how to mend it, without a stack. */
export function errorMessage(error: unknown): string {
  if (error instanceof Problem) return [sentence(textOf(error)), remedies[error.key]].filter(Boolean).join(' ');
  if (error instanceof ConfigurationError || error instanceof StartError || error instanceof AdminError)
    return error.message;
  if (error instanceof PlatformError) return sentence([error.message, error.reason].filter(Boolean).join(' '));
  const message = error instanceof Error ? error.message : String(error);
  return `This should not happen; please report it: ${message}`;
}

const textOf = ({ body, message }: Problem) => (typeof body.error === 'string' ? body.error : message);

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
