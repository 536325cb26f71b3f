import type { App } from '../../../app.ts';
import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';
import { storable } from '../../../foundation/lib/storable.ts';
import { shorten } from '../../../foundation/text/shorten.ts';
import type { Connectable } from '../../../platforms/kit/index.ts';

/** The parameters that a consent page adds to the redirect instead of a code (RFC 6749 section 4.1.2.1). */
export interface ConsentAnswer {
  error?: string | undefined;
  error_description?: string | undefined;
}

/**
 * Only these mean that the user declined. The last two are not in the RFC, but at least one large network sends them.
 */
const declined = ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login'];
const temporary = ['server_error', 'temporarily_unavailable'];

/** Longer than any real description, and short enough for a log line. */
const maxLength = 500;

/**
 * The user sees the network's message. Everything except a declined consent is logged, because the operator has to
 * fix it.
 */
export function consentRefusal(
  { log }: Pick<App, 'log'>,
  { id: platform, name }: Pick<Connectable, 'id' | 'name'>,
  { error, error_description: description }: ConsentAnswer,
): Problem {
  if (error && declined.includes(error)) return new Problem('connect_cancelled');
  const [code, words] = [error, description].map((text) =>
    shorten(storable(text ?? ''), maxLength).replace(/[.\s]+$/, ''),
  );
  log.warn({ platform, error: code, errorDescription: words }, 'a consent page answered with an error');
  const reason = [words, code && (words ? `(${code})` : code)].filter(Boolean).join(' ') || 'it gave no reason';
  const key: ProblemKey = error && temporary.includes(error) ? 'connect_unavailable' : 'connect_refused';
  return new Problem(key, { error: `${name} did not give access: ${reason}. ${remedies[key]}`, reason });
}

const remedies = {
  connect_unavailable: 'Try again in a few minutes.',
  connect_refused: 'Nothing was connected. If it happens again, ask the operator of this service.',
};
