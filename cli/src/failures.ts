import { ConnectionError, CrierError } from '@crier/client';
import { FileError } from './local-files.ts';

/** Scripts rely on these codes. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  notSignedIn: 3,
  refused: 4,
  notReached: 5,
} as const;
type ExitName = keyof typeof exitCodes;

/** An error that the user can act on. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exit: ExitName;
  readonly code: string;
  readonly hint: string | null;
  /** The command's findings, for `--json`. */
  readonly data: unknown;
  /** Further lines for people. */
  readonly lines: readonly string[];

  constructor(exit: ExitName, message: string, facts: Partial<Pick<CommandError, 'code' | 'hint' | 'data' | 'lines'>>) {
    super(message);
    this.exit = exit;
    this.code = facts.code ?? 'FAILED';
    this.hint = facts.hint ?? null;
    this.data = facts.data;
    this.lines = facts.lines ?? [];
  }
}

export const wrongUse = (message: string, hint: string | null = null) =>
  new CommandError('wrongUse', message, { code: 'WRONG_USE', hint });

/** Converts any error into one that can be shown. */
export function commandErrorOf(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof CrierError) return answeredError(error);
  if (error instanceof FileError) return wrongUse(error.message, 'Check the path.');
  if (isFileError(error)) {
    return wrongUse(
      `${error.path ?? 'The file'} cannot be read (${error.code}).`,
      'Check the path and its permissions.',
    );
  }
  const about = error instanceof Error ? error.message : String(error);
  return new CommandError('failed', about, { code: 'INTERNAL', hint: 'Run it again with CRIER_DEBUG=1 to see where.' });
}

function answeredError(error: CrierError): CommandError {
  const { code, body, status, requestId, message } = error;
  const exit = exitOf(error);
  const about = body.message ?? body.error ?? message;
  const report = body.validation as { errors?: Issue[] } | undefined;
  // The lines below already list what the service's hint refers to.
  const hint = (report ? null : body.hint) ?? hints[exit] ?? null;
  const issues = (report?.errors ?? []).map(issueLine);
  const support = status !== null && status >= 500 && requestId ? [`Request id: ${requestId}`] : [];
  return new CommandError(exit, String(about), {
    code,
    hint: typeof hint === 'string' ? hint : null,
    data: report && { validation: report },
    lines: [...issues, ...support],
  });
}

interface Issue {
  platform: string;
  message: string;
  suggestions?: string[];
}

/** One line for one issue that a network would reject. */
export const issueLine = ({ platform, message, suggestions = [] }: Issue) =>
  [`${platform}: ${message}`, ...suggestions.map((text) => `→ ${text}`)].join(' ');

const hints: Partial<Record<ExitName, string>> = {
  notSignedIn: 'Sign in with: crier login',
  notReached: 'Is the service running? Set its URL with CRIER_URL or: crier login --url <address>',
};

function exitOf(error: CrierError): ExitName {
  const { status, code } = error;
  if (error instanceof ConnectionError || (status !== null && [502, 503, 504].includes(status))) return 'notReached';
  if (status === 401 || code === 'INSUFFICIENT_SCOPE') return 'notSignedIn';
  return status !== null && [400, 402, 403, 413, 422].includes(status) ? 'refused' : 'failed';
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error && 'path' in error;
