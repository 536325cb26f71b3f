import type { ProblemEntries } from './problem-entry.ts';

/** Used in the errors below, and checked where they are thrown. */
export const draftLimits = {
  bytes: 65_536,
  perUser: 500,
  /** Of all drafts of an owner and the managed users: as much as eight users can have. */
  bytesPerOwner: 256 * 1024 * 1024,
  /** Far deeper than any draft, and well within the stack limits of JSON.stringify and PostgreSQL. */
  levels: 30,
} as const;

/** Errors of composer drafts. */
export const draftProblems = {
  composer_draft_id_invalid: { status: 400, error: 'draftId must be 24 hex digits or a UUID' },
  composer_draft_not_found: { status: 404, error: 'Draft not found' },
  composer_draft_invalid: { status: 400, error: 'draft must be a JSON object', field: 'draft' },
  composer_draft_too_deep: {
    status: 400,
    error: `draft must be at most ${draftLimits.levels} levels deep`,
    field: 'draft',
  },
  composer_draft_too_large: {
    status: 413,
    error: `draft must be at most ${draftLimits.bytes / 1024} kB as JSON`,
    field: 'draft',
  },
  composer_draft_version_invalid: {
    status: 400,
    error: 'version must be a whole number, 0 or greater',
    field: 'version',
  },
  draft_changed: {
    status: 409,
    error: 'The draft has changed since you read it',
    code: 'DRAFT_CHANGED',
  },
  composer_draft_limit_reached: { status: 403, error: 'Composer draft limit reached' },
} as const satisfies ProblemEntries;
