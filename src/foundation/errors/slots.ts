import type { ProblemEntries } from './problem-entry.ts';

/** Used in the errors below, and checked where they are thrown. */
export const maxSlots = 200;

export const slotProblems = {
  time_zone_invalid: { status: 400, error: 'timeZone must be the name of a time zone', field: 'timeZone' },
  slots_invalid: {
    status: 400,
    error: 'Every slot needs a weekday from 1 to 7 and a time, such as 09:30',
    field: 'slots',
  },
  slots_too_many: { status: 400, error: `There can be at most ${maxSlots} slots`, field: 'slots' },
  slot_channel_unknown: { status: 400, error: 'A slot names a connection that does not exist', field: 'slots' },
  slot_platforms_invalid: {
    status: 400,
    error: 'platforms must be a comma-separated list of connection ids',
    field: 'platforms',
  },
  slot_after_invalid: { status: 400, error: 'Invalid after format', field: 'after' },
  posting_slots_missing: {
    status: 404,
    error: 'There are no posting slots for these connections',
    code: 'NO_POSTING_SLOTS',
  },
  posting_slots_full: {
    status: 409,
    error: 'All posting slots of the next year are taken',
    code: 'NO_FREE_SLOT',
  },
  slots_unreadable: { status: 500, error: 'Failed to read posting slots' },
  slots_unwritable: { status: 500, error: 'Failed to set posting slots' },
} as const satisfies ProblemEntries;
