import { accountProblems } from './accounts.ts';
import { connectionProblems } from './connections.ts';
import { draftProblems } from './drafts.ts';
import { hints } from './hints.ts';
import { labelProblems } from './labels.ts';
import { linkedinProblems } from './linkedin.ts';
import { mcpProblems } from './mcp.ts';
import { mediaProblems } from './media.ts';
import { postProblems } from './posts.ts';
import type { ProblemEntries, ProblemEntry } from './problem-entry.ts';
import { requestProblems } from './requests.ts';
import { signInProblems } from './sign-in.ts';
import { slotProblems } from './slots.ts';
import { statisticsProblems } from './statistics.ts';
import { streamProblems } from './stream.ts';
import { webhookProblems } from './webhooks.ts';

export type { ProblemEntry } from './problem-entry.ts';

/**
 * Every error that the API can return, in one closed table: key -> status, text, code. A zod schema uses a key as its
 * message, a use-case throws `new Problem(key)`, and the OpenAPI document lists them. Texts and codes that the contract
 * fixes match it to the letter.
 */
export const problems = {
  ...requestProblems,
  ...accountProblems,
  ...signInProblems,
  ...draftProblems,
  ...postProblems,
  ...labelProblems,
  ...slotProblems,
  ...mediaProblems,
  ...connectionProblems,
  ...webhookProblems,
  ...streamProblems,
  ...statisticsProblems,
  ...linkedinProblems,
  ...mcpProblems,
} as const satisfies ProblemEntries;

export type ProblemKey = keyof typeof problems;

/**
 * An error response. `details` adds fields to the body, and its `error` replaces the table's text. `ownStatus` replaces
 * the table's status with that of a platform's response.
 */
export class Problem extends Error {
  override name = 'Problem';
  readonly key: ProblemKey;
  readonly status: number;
  readonly code: string;
  /** How to correct the request, if known. */
  readonly hint: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(key: ProblemKey, details: Readonly<Record<string, unknown>> = {}, ownStatus?: number) {
    const { status, ...body }: ProblemEntry = problems[key];
    super(body.error);
    this.key = key;
    this.status = ownStatus ?? status;
    this.code = codeOf(key);
    this.hint = hints[key];
    this.body = { ...body, ...details };
  }
}

/**
 * The code that programs branch on. If the contract defines none, it is the key in capitals, so renaming a key changes
 * the API.
 */
export function codeOf(key: ProblemKey): string {
  const { code, error }: ProblemEntry = problems[key];
  const isSymbol = /^[A-Z_]+$/.test(error);
  return code ?? (isSymbol ? error : key.toUpperCase());
}

export const isProblemKey = (key: string): key is ProblemKey => Object.hasOwn(problems, key);
