import type { App } from '../app.ts';
import { keyActor, memberActor, ownerActor, userActor } from '../audit/actors.ts';
import { type Actor, type AuditEntry, type AuditEvent, recordAudit } from '../audit/audit-log.ts';
import type { Db } from '../db/database.ts';
import type { Who } from '../http/auth.ts';

/** Who does something to a membership, as the owner of the workspace and as the member see it. */
export interface MembershipActors {
  owner: Actor;
  member: Actor;
}

export interface Membership {
  ownerId: string;
  userId: string;
  email: string;
}

/** The owner of a workspace acts with an API key, which the member does not know. */
export const byOwner = (who: Who, ownerId: string, request: { ip: string }): MembershipActors => ({
  owner: keyActor(who, request),
  member: ownerActor(ownerId),
});

export const byMember = (userId: string, request: { ip: string }): MembershipActors => ({
  owner: memberActor(userId),
  member: userActor(userId, request),
});

/** Both sides can read what happens to a membership. */
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
