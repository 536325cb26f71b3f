import type { FastifyRequest } from 'fastify';
import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { keyActor, memberActor, ownerActor, userActor } from '../../audit/actors.ts';
import type { Actor, AuditEntry, AuditEvent } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { type Credential, credentialOf } from '../../auth/api-keys/live-credential.ts';
import { type Person, personOf } from '../../auth/sessions/access-notice.ts';

/** The actor of a change to a membership, as seen by the owner of the workspace and by the member. */
export interface MembershipActors {
  owner: Actor;
  member: Actor;
}

/** The owner with the credential that proves it. Null for an admin command or our own code. */
export interface ActingOwner extends MembershipActors {
  credential: Credential | null;
  /** To be notified by mail of what a thief of the session could do. */
  person?: Person | null;
}

export interface Membership {
  ownerId: string;
  userId: string;
  email: string;
}

/** The owner of a workspace acts with an API key or a session that the member does not know. */
export const byOwner = (request: FastifyRequest, ownerId: string): ActingOwner => ({
  owner: request.keyHolder ? keyActor(request.keyHolder, request) : userActor(ownerId, request),
  member: ownerActor(ownerId),
  credential: credentialOf(request),
  person: personOf(request),
});

export const byMember = (userId: string, request: { ip: string }): MembershipActors => ({
  owner: memberActor(userId),
  member: userActor(userId, request),
});

/** Changes to a membership are visible to both sides. */
export async function recordForBoth(
  app: Pick<App, 'clock' | 'newId'>,
  tx: Db,
  event: AuditEvent,
  { ownerId, userId, email }: Membership,
  by: MembershipActors,
  details: AuditEntry['details'] = {},
) {
  await recordAudit(app, tx, { userId: ownerId, event, actor: by.owner, details: { userId, email, ...details } });
  await recordAudit(app, tx, { userId, event, actor: by.member, details: { ownerId, ...details } });
}
