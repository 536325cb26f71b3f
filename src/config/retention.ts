import { z } from 'zod';

/** How many days each kind of record is kept. Null: until its parent is deleted. */
export type Retention = Readonly<Record<keyof typeof kept, number | null>>;

interface Kept {
  what: string;
  /** Null: kept by default. */
  standard: number | null;
  /** A shorter retention would break a promise, or delete data that is still needed. */
  min: number;
}

const kept = {
  logs: { what: 'Post logs. The API shows the last 90 days.', standard: 90, min: 1 },
  steps: { what: 'Publishing steps of published posts, counted from publication.', standard: null, min: 30 },
  events: { what: 'Events from which webhook deliveries are created.', standard: 30, min: 7 },
  deliveries: { what: 'Webhook deliveries and their attempts.', standard: 30, min: 7 },
  idempotency: { what: 'Idempotency keys, which are valid for 24 hours.', standard: 1, min: 1 },
  audit: { what: 'Audit log entries.', standard: 366, min: 1 },
  mails: { what: 'Emails that were sent or failed permanently.', standard: 60, min: 1 },
  sandbox: { what: 'Posts and files on the sandbox networks.', standard: null, min: 1 },
} satisfies Record<string, Kept>;

type Name = keyof typeof kept;
type Variable = `RETENTION_${Uppercase<Name>}`;

const names = Object.keys(kept) as Name[];
const variableOf = (name: Name) => `RETENTION_${name.toUpperCase()}` as Variable;

/** One variable per kind, for the table in config.ts. */
export const retentionVariables = Object.fromEntries(
  names.map((name) => {
    const { what, standard, min }: Kept = kept[name];
    const byDefault = standard === null ? 'off' : String(standard);
    const about = `${what} Days to keep them (at least ${min}), or off to keep them forever. Default: ${byDefault}.`;
    return [variableOf(name), { schema: days(standard, min), about, example: byDefault }];
  }),
) as Record<Variable, { schema: ReturnType<typeof days>; about: string; example: string }>;

export const retentionOf = (values: Record<Variable, number | null>): Retention =>
  Object.fromEntries(names.map((name) => [name, values[variableOf(name)]])) as Retention;

function days(standard: number | null, min: number) {
  const wrong = `must be off or a whole number of days, ${min} or more`;
  return z
    .string()
    .default(standard === null ? 'off' : String(standard))
    .transform((text) => (text.trim() === 'off' ? null : Number(text)))
    .refine((value) => value === null || (Number.isInteger(value) && value >= min), wrong);
}
