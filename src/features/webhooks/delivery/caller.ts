import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { isStillOwner, webhookDetails } from '../../accounts/workspace/membership-webhooks.ts';
import { keyActor, ownerActor, userActor } from '../../audit/actors.ts';
import type { Actor, AuditEntry, AuditEvent } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { type Credential, credentialOf, requireLive } from '../../auth/api-keys/live-credential.ts';
import { type Person, personOf } from '../../auth/sessions/access-notice.ts';

/** The caller who changes a webhook. */
export interface WebhookCaller {
  userId: string;
  /** The actor for the user's audit log. */
  actor: Actor;
  /** The owner of the workspace if they act for the user, with the actor for their own log. */
  manager: { userId: string; actor: Actor } | null;
  /** The owner whose plan counts, according to the credentials. Null if the user is signed in to the dashboard. */
  ownerId: string | null;
  credential: Credential;
  /** To be notified by mail of what a thief of the session could do. Null with an API key. */
  person: Person | null;
}

/** A user who is signed in to the dashboard. */
export const sessionCaller = (request: FastifyRequest): WebhookCaller => {
  const { session } = request;
  const { userId } = session;
  const actor = userActor(userId, request);
  return { userId, actor, manager: null, ownerId: null, credential: session, person: { session, request } };
};

/** A key or a signed-in user, who may act for a managed user. */
export function callerOf(request: FastifyRequest): WebhookCaller {
  const { who, keyHolder } = request;
  const { userId, ownerId } = who;
  const credential = credentialOf(request);
  const holder = credential.userId;
  const actor = keyHolder ? keyActor(who, request) : userActor(holder, request);
  const caller = { userId, ownerId, credential, person: personOf(request) };
  if (holder === userId) return { ...caller, actor, manager: null };
  return { ...caller, actor: ownerActor(holder), manager: { userId: holder, actor } };
}

/** Rejects a caller whose access ended while the request was in progress. */
export async function requireStillAllowed(
  app: Pick<App, 'clock'>,
  tx: Db,
  { userId, ownerId, manager, credential }: WebhookCaller,
) {
  await requireLive(app, tx, credential, userId);
  if (ownerId === null || (await isStillOwner(tx, userId, ownerId))) return;
  throw new Problem(manager ? 'user_not_managed' : 'invalid_api_key');
}

type WebhookEvent = Extract<AuditEvent, `webhook_${string}`>;

/** If an owner acts for a managed user, the change also appears in the owner's log. */
export async function recordWebhook(
  app: Pick<App, 'clock' | 'newId'>,
  tx: Db,
  { userId, actor, manager }: WebhookCaller,
  event: WebhookEvent,
  webhook: { id: string; name: string; url: string },
  more: AuditEntry['details'] = {},
) {
  const details = { ...webhookDetails(webhook), ...more };
  await recordAudit(app, tx, { userId, event, actor, details });
  if (manager) await recordAudit(app, tx, { ...manager, event, details: { userId, ...details } });
}
