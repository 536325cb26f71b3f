import type { ProblemEntries } from './problem-entry.ts';

/** Used in the errors below, and checked where they are thrown. */
export const labelLimits = { perPost: 10, length: 50, perUser: 200 } as const;

export const labelColours = [
  'gray',
  'red',
  'pink',
  'grape',
  'violet',
  'indigo',
  'blue',
  'cyan',
  'teal',
  'green',
  'lime',
  'yellow',
  'orange',
] as const;

export const labelProblems = {
  labels_invalid: {
    status: 400,
    error: `labels must be an array of texts with 1 to ${labelLimits.length} characters`,
    code: 'INVALID_LABELS',
    field: 'labels',
  },
  labels_too_many: {
    status: 400,
    error: `A post can have at most ${labelLimits.perPost} labels`,
    code: 'INVALID_LABELS',
    field: 'labels',
  },
  label_limit_reached: {
    status: 400,
    error: `You already use ${labelLimits.perUser} different labels`,
    code: 'LABEL_LIMIT_REACHED',
    field: 'labels',
  },
  list_label_invalid: {
    status: 400,
    error: `label must have at most ${labelLimits.length} characters`,
    field: 'label',
  },
  label_not_found: { status: 404, error: 'Label not found', code: 'LABEL_NOT_FOUND' },
  label_colour_invalid: {
    status: 400,
    error: `colour must be one of ${labelColours.join(', ')}`,
    code: 'INVALID_COLOUR',
    field: 'colour',
  },
  labels_unreadable: { status: 500, error: 'Failed to read labels' },
  label_unwritable: { status: 500, error: 'Failed to change the label' },
} as const satisfies ProblemEntries;
