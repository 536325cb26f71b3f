import type { ProblemEntries } from './problem-entry.ts';

/** Errors of the event stream. */
export const streamProblems = {
  stream_events_unknown: { status: 400, error: 'There is no such event', field: 'events' },
  too_many_streams: {
    status: 429,
    error: 'Too many event streams are open. Close one, or use one stream for all your pages.',
  },
} as const satisfies ProblemEntries;
