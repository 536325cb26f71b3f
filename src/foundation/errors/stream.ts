import type { ProblemEntries } from './problem-entry.ts';

export const streamProblems = {
  stream_events_unknown: { status: 400, error: 'Unknown event name', field: 'events' },
  trigger_event_unknown: { status: 400, error: 'Unknown event name', field: 'event' },
  no_listener: {
    status: 409,
    error: 'No listener is open. Open one with GET /events?format=webhook, or with crier webhooks listen.',
  },
  too_many_streams: {
    status: 429,
    error: 'Too many event streams are open. Close one, or use one stream for all your pages.',
  },
} as const satisfies ProblemEntries;
