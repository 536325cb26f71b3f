import type { App } from '../app.ts';
import { type Actor, recordAudit } from '../audit/audit-log.ts';
import type { Db } from '../db/database.ts';
import { deleteMembershipWebhooks, lockOwnerOf } from './workspace-queries.ts';

/** Webhooks that the owner of the workspace may know end with the membership. */
export async function endMembershipWebhooks(app: Pick<App, 'clock' | 'newId'>, tx: Db, userId: string, actor: Actor) {
  for (const webhook of await deleteMembershipWebhooks(tx, userId))
    await recordAudit(app, tx, { userId, event: 'webhook_deleted', actor, details: webhookDetails(webhook) });
}

/** What the audit log says about a webhook. The path of the address may be a secret. */
export const webhookDetails = ({ id, name, url }: { id: string; name: string; url: string }) => ({
  webhookId: id,
  name,
  host: new URL(url).host,
});

/**
 * Whether this is still the user whose plan counts for the user. Until the transaction ends, the user neither joins nor leaves
 * a workspace: a request that began before the end of a membership must not leave anything behind.
 */
export const isStillOwner = async (tx: Db, userId: string, ownerId: string): Promise<boolean> =>
  (await lockOwnerOf(tx, userId)) === ownerId;
