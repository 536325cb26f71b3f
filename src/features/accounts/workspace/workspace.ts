import type { z } from 'zod';
import type { App } from '../../../app.ts';
import { planKeys, plans } from '../../../config/plans.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { listInTurn } from '../../../foundation/http/answers/long-reads.ts';
import type { Actor } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { whoIs } from '../../auth/access/api-key.ts';
import { endMembershipKeys, exchangeCurrentKey, keyDetails } from '../../auth/api-keys/api-keys.ts';
import { type Credential, requireLive } from '../../auth/api-keys/live-credential.ts';
import { endMembershipPasskeys } from '../../auth/passkeys/end-passkeys.ts';
import { mailAccessAdded } from '../../auth/sessions/access-notice.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { plainName } from '../../users/plain-name.ts';
import { requireRoomForUser, standingOf } from './attach-user.ts';
import { type ConnectionLink, linkFor } from './connection-links.ts';
import { type ActingOwner, type Membership, type MembershipActors, recordForBoth } from './membership-audit.ts';
import { endMembershipWebhooks } from './membership-webhooks.ts';
import {
  deleteAttachTokens,
  deleteLink,
  deletePendingApprovals,
  deleteSessions,
  enableWorkspace,
  failOpenUploads,
  insertManagedUser,
  lockManagedUser,
  type ManagedUserRow,
  selectCandidates,
  selectManagedUsers,
  selectMayOwnWorkspace,
  updateBrand,
  updateToStandalone,
} from './queries.ts';
import type { ChangeManagedUser, CreateManagedUser, NewConnectionUrl } from './schema.ts';

type WorkspaceApp = Pick<App, 'db' | 'clock' | 'newId'>;
type MailingApp = WorkspaceApp & Pick<App, 'publicUrl' | 'sealingKeys'>;

export const listManagedUsers = ({ db, clock }: Pick<App, 'db' | 'clock'>, ownerId: string) =>
  listInTurn(
    ownerId,
    () => selectManagedUsers(db, ownerId, clock.now()),
    (users) => users.length,
  );

/** Creates a user without a password, to whom the limits of the owner apply. */
export async function createManagedUser(
  app: WorkspaceApp & Pick<App, 'config'>,
  ownerId: string,
  { username: email, displayName }: z.infer<typeof CreateManagedUser>,
  by: ActingOwner,
): Promise<ManagedUserRow> {
  const user = { id: app.newId(), email, name: plainName(displayName ?? '') || email };
  const add = async (tx: Db) => {
    const values = { ...user, plan: app.config.defaultPlan, ownerId };
    if (by.credential) await requireLive(app, tx, by.credential);
    await requireRoomForUser(tx, ownerId);
    if (!(await insertManagedUser(tx, values, app.clock.now()))) return false;
    await recordForBoth(app, tx, 'member_created', { ownerId, userId: user.id, email }, by, { name: user.name });
    return true;
  };
  const added = await inLockTurn(ownerId, () => app.db.transaction().execute(add));
  if (!added) throw await emailExists(app.db, ownerId, email);
  return { ...user, isActive: true, colour: null, avatarAt: null, link: null };
}

/** Changes how the owner sees the user. The name is also the user's own. */
export const changeManagedUser = (
  app: WorkspaceApp,
  ownerId: string,
  userId: string,
  { displayName, colour }: z.infer<typeof ChangeManagedUser>,
  by: ActingOwner,
): Promise<ManagedUserRow> =>
  withManagedUser(app, ownerId, userId, by.credential, async (tx) => {
    const now = app.clock.now();
    await updateBrand(tx, userId, { displayName, colour }, now);
    const [user] = await selectManagedUsers(tx, ownerId, now, userId);
    return user!;
  });

/** In the sandbox, everyone can try a workspace. */
const plansWithWorkspace = ({ sandboxUrl }: Pick<App, 'sandboxUrl'>) =>
  sandboxUrl === null ? planKeys.filter((key) => plans[key].hasWorkspace) : planKeys;

/** Lets the user manage others from now on. Repeating it changes nothing. */
export async function setUpWorkspace(
  app: WorkspaceApp & Pick<App, 'sandboxUrl'>,
  userId: string,
  actor: Actor,
): Promise<void> {
  const enable = async (tx: Db) => {
    if (!(await enableWorkspace(tx, userId, plansWithWorkspace(app), app.clock.now()))) return;
    await recordAudit(app, tx, { userId, event: 'access_changed', actor, details: { workspace: true } });
  };
  await inLockTurn(userId, () => app.db.transaction().execute(enable));
  const { workspaceOwnerId } = await whoIs(app.db, userId);
  if (workspaceOwnerId === null) throw new Problem('workspace_not_included');
}

export const maySetUpWorkspace = (app: Pick<App, 'db' | 'sandboxUrl'>, userId: string) =>
  selectMayOwnWorkspace(app.db, userId, plansWithWorkspace(app));

export const detachUser = (
  app: WorkspaceApp & Pick<App, 'config'>,
  ownerId: string,
  userId: string,
  by: MembershipActors,
): Promise<void> =>
  withManagedUser(app, ownerId, userId, null, (tx, membership) => endMembership(app, tx, membership, by));

/** Like `detachUser`, at the member's own request. */
export function leaveWorkspace(
  app: WorkspaceApp & Pick<App, 'config'>,
  userId: string,
  by: MembershipActors,
): Promise<void> {
  const leave = async (tx: Db) => {
    const membership = await lockManagedUser(tx, null, userId);
    if (!membership) throw new Problem('not_in_workspace');
    await endMembership(app, tx, membership, by);
  };
  return inLockTurn(userId, () => app.db.transaction().execute(leave));
}

/**
 * The user keeps the account, its data, and earlier keys, passkeys and webhooks, and gets the default plan. Everything
 * that the owner may know ends: keys, passkeys and webhooks from the time in the workspace, approvals that could still
 * become keys, the link, addresses for uploads, and all sessions with what they began.
 */
export async function endMembership(
  app: WorkspaceApp & Pick<App, 'config'>,
  tx: Db,
  membership: Membership,
  by: MembershipActors,
): Promise<void> {
  const { userId } = membership;
  await updateToStandalone(tx, userId, app.config.defaultPlan, app.clock.now());
  await deleteSessions(tx, userId);
  await deleteAttachTokens(tx, userId);
  await deletePendingApprovals(tx, userId);
  await recordForBoth(app, tx, 'member_detached', membership, by);
  await endMembershipKeys(app, tx, userId, by.member);
  await endMembershipPasskeys(app, tx, userId, by.member);
  await endMembershipWebhooks(app, tx, userId, by.member);
  await failOpenUploads(tx, userId);
  if (await deleteLink(tx, userId)) await recordForBoth(app, tx, 'connection_link_revoked', membership, by);
}

/** Replaces the managed user's single current key. The previous one stops working. */
export function replaceManagedUserKey(
  app: MailingApp,
  ownerId: string,
  userId: string,
  by: ActingOwner,
): Promise<string> {
  return withManagedUser(app, ownerId, userId, by.credential, async (tx, { email }) => {
    const key = await exchangeCurrentKey(app, tx, userId, by.member).catch((error: unknown) => {
      // A managed user is on the plan of its owner, so the error refers to the owner.
      const withoutApi = error instanceof Problem && error.key === 'plan_without_api';
      throw withoutApi ? new Problem('owner_without_api') : error;
    });
    const details = { userId, email, ...keyDetails(key) };
    await recordAudit(app, tx, { userId: ownerId, event: 'api_key_created', actor: by.owner, details });
    if (by.person) await mailAccessAdded(app, tx, { what: 'managed key', name: email }, by.person);
    return key.rawKey;
  });
}

export const connectionLinkOf = (
  app: MailingApp,
  ownerId: string,
  userId: string,
  wanted: z.infer<typeof NewConnectionUrl>,
  by: ActingOwner,
): Promise<ConnectionLink> =>
  withManagedUser(app, ownerId, userId, by.credential, async (tx, membership) => {
    const { isNew, ...link } = await linkFor(app, tx, userId, wanted);
    const details = { expiresAt: link.expiresAt.toISOString() };
    if (!isNew) return link;
    await recordForBoth(app, tx, 'connection_link_created', membership, by, details);
    if (by.person) await mailAccessAdded(app, tx, { what: 'connection link', name: membership.email }, by.person);
    return link;
  });

/** The link stops working. Does nothing if there is none. */
export const revokeConnectionLink = (app: WorkspaceApp, ownerId: string, userId: string, by: MembershipActors) =>
  withManagedUser(app, ownerId, userId, null, async (tx, membership) => {
    if (await deleteLink(tx, userId)) await recordForBoth(app, tx, 'connection_link_revoked', membership, by);
  });

/**
 * Locks the user, so that it cannot leave the workspace and no other request changes its key or link at the same
 * time. Calls that create something also pass the credential, which must still be valid.
 */
export function withManagedUser<T>(
  app: Pick<App, 'db' | 'clock'>,
  ownerId: string,
  userId: string,
  credential: Credential | null,
  run: (tx: Db, membership: Membership) => Promise<T>,
) {
  const work = async (tx: Db) => {
    if (credential) await requireLive(app, tx, credential, userId);
    const membership = await lockManagedUser(tx, ownerId, userId);
    if (!membership) throw new Problem('managed_user_not_found');
    return run(tx, membership);
  };
  return inLockTurn(ownerId, () => app.db.transaction().execute(work));
}

/** The error says what the owner can do instead. */
async function emailExists(db: Db, ownerId: string, email: string): Promise<Problem> {
  const [user] = await selectCandidates(db, { email });
  const reason = standingOf(user!, ownerId);
  const attachable = reason === 'standalone_user_exists';
  return new Problem('email_exists', {
    userId: user!.id,
    reason,
    attachable,
    requiresConsent: attachable,
    alreadyInWorkspace: reason === 'already_in_workspace',
    managedByAnotherWorkspace: reason === 'managed_by_another_workspace',
  });
}
