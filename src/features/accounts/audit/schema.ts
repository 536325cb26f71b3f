import { z } from 'zod';
import { accountLimits } from '../../../foundation/errors/accounts.ts';
import { timestamp } from '../../../foundation/http/shapes.ts';
import { isId } from '../../../foundation/lib/ids.ts';
import { type ActorKind, actorKinds, auditEvents } from '../../audit/audit-entry.ts';
import type { AuditRow } from '../../audit/queries.ts';

export const AuditQuery = z.object({
  before: z
    .string()
    .max(100, { error: 'audit_before_invalid', abort: true })
    .refine(isId, 'audit_before_invalid')
    .optional()
    .describe('The `nextBefore` of the previous page. Returns the entries after that page, which are older.'),
  limit: z.coerce
    .number({ error: 'audit_limit_invalid' })
    .int('audit_limit_invalid')
    .min(1, 'audit_limit_invalid')
    .max(accountLimits.auditEntriesPerPage, 'audit_limit_invalid')
    .default(50)
    .describe('Entries per page, at most 100.'),
});

const Entry = z
  .object({
    id: z.string(),
    at: timestamp,
    event: z.string().describe('The action, such as `api_key_created`. For programs.'),
    text: z.string().describe('The action in words.'),
    actor: z.object({
      kind: z.enum(actorKinds),
      name: z.string().nullable().describe('The name of a user, or the prefix of an API key. Null: unknown.'),
    }),
    address: z.string().nullable().describe('The IP address of the request.'),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  })
  .meta({ id: 'AuditEntry', description: 'A security event of the account.' });

export const AuditLog = z.object({
  entries: z.array(Entry),
  nextBefore: z.string().nullable().describe('Send it as `before` to get the next page. Null: this is the last page.'),
});

export const presentEntry = ({ id, at, event, actorKind, ...row }: AuditRow): z.infer<typeof Entry> => ({
  id,
  at: at.toISOString(),
  event,
  text: texts[event] ?? event,
  actor: { kind: actorKind, name: nameOf(actorKind, row) },
  address: row.address,
  details: row.details,
});

/** An entry may have been written by a newer version of the service. */
const texts: Partial<Record<string, string>> = auditEvents;

/** Users do not need to know the operator's account name on the machine. */
function nameOf(kind: ActorKind, { actorId, userName }: Pick<AuditRow, 'actorId' | 'userName'>): string | null {
  if (kind === 'operator') return 'The operator of this service';
  if (kind === 'connection_link') return 'Someone with the connection link';
  if (kind === 'system') return 'Crier';
  return kind === 'api_key' ? actorId : userName;
}
