import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { ownerActor } from '../../audit/actors.ts';
import type { Actor, AuditEntry, AuditEvent } from '../../audit/audit-entry.ts';
import { recordAudits } from '../../audit/audit-log.ts';
import { keyDetails } from '../../auth/api-keys/api-keys.ts';
import { webhookDetails } from '../workspace/membership-webhooks.ts';
import { deleteManagedLinks, deleteManagedWebhooks, revokeManagedKeys } from './managed-access-queries.ts';

/**
 * Ends everything that the owner of a workspace, or a thief in that role, can have created for managed users. The
 * users stay, and so does everything they created themselves. Must run under `lockWithAllManaged`. Returns the
 * counts.
 */
export async function endManagedAccess(
  app: Pick<App, 'clock' | 'newId'>,
  tx: Db,
  ownerId: string,
  actor: Actor,
): Promise<{ managedKeys: number; managedLinks: number; managedWebhooks: number }> {
  const keys = await revokeManagedKeys(tx, ownerId, app.clock.now());
  const links = await deleteManagedLinks(tx, ownerId);
  const webhooks = await deleteManagedWebhooks(tx, ownerId);
  const forBoth = (
    event: AuditEvent,
    { userId, email }: { userId: string; email: string },
    details: AuditEntry['details'] = {},
  ): AuditEntry[] => [
    { userId: ownerId, event, actor, details: { userId, email, ...details } },
    { userId, event, actor: ownerActor(ownerId), details },
  ];
  await recordAudits(app, tx, [
    ...keys.flatMap((key) => forBoth('api_key_revoked', key, keyDetails(key))),
    ...links.flatMap((link) => forBoth('connection_link_revoked', link)),
    ...webhooks.flatMap((webhook) => forBoth('webhook_deleted', webhook, webhookDetails(webhook))),
  ]);
  return { managedKeys: keys.length, managedLinks: links.length, managedWebhooks: webhooks.length };
}
