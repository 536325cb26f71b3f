import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { deleteWebhooks, lockOwnerOf } from './queries.ts';

/** Webhooks that the owner of the workspace may know end with the membership. */
export const endMembershipWebhooks = (app: Pick<App, 'clock' | 'newId'>, tx: Db, userId: string, actor: Actor) =>
  endWebhooks(app, tx, userId, true, actor);

/** Ends every webhook of the user. Returns their number. */
export const endAllWebhooks = (app: Pick<App, 'clock' | 'newId'>, tx: Db, userId: string, actor: Actor) =>
  endWebhooks(app, tx, userId, false, actor);

async function endWebhooks(
  app: Pick<App, 'clock' | 'newId'>,
  tx: Db,
  userId: string,
  onlyOfMembership: boolean,
  actor: Actor,
) {
  const ended = await deleteWebhooks(tx, userId, onlyOfMembership);
  for (const webhook of ended)
    await recordAudit(app, tx, { userId, event: 'webhook_deleted', actor, details: webhookDetails(webhook) });
  return ended.length;
}

/** The audit log's details of a webhook. The path of the URL may be secret. */
export const webhookDetails = ({ id, name, url }: { id: string; name: string; url: string }) => ({
  webhookId: id,
  name,
  host: new URL(url).host,
});

/**
 * Whether the user's plan still comes from this owner. Until the transaction ends, the user can neither join nor
 * leave a workspace: a request that began before the end of a membership must not leave anything behind.
 */
export const isStillOwner = async (tx: Db, userId: string, ownerId: string): Promise<boolean> =>
  (await lockOwnerOf(tx, userId)) === ownerId;
