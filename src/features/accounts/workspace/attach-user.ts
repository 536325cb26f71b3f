import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { accountLimits } from '../../../foundation/errors/accounts.ts';
import { Problem, type ProblemKey } from '../../../foundation/errors/index.ts';
import { userOfAccessToken } from '../../auth/access/session.ts';
import { requireLive } from '../../auth/api-keys/live-credential.ts';
import { hasSessionOfToken } from '../../auth/sessions/queries.ts';
import { hashSessionToken } from '../../auth/sessions/token-hashing.ts';
import { queueMail } from '../../mail/mails.ts';
import { requireNoHold } from '../../users/hold.ts';
import { inLockTurn } from '../../users/lock-turns.ts';
import { findUserBy } from '../../users/queries.ts';
import { entitlementsOf, limitExceeded, lockPlan } from '../../users/quotas.ts';
import { isAttachToken, useAttachToken, userOfAttachToken } from './attach-token.ts';
import { type ActingOwner, recordForBoth } from './membership-audit.ts';
import {
  type Candidate,
  countManagedUsers,
  lockUsers,
  type ManagedUserRow,
  markMadeSince,
  selectCandidates,
  selectChannelUse,
  selectManagedUsers,
  updateOwner,
} from './queries.ts';

export interface Attachment {
  /** One of the two, or both for the same user. */
  email: string | null;
  userId: string | null;
  /** An attach token or an access token of the user, which proves consent. */
  consentToken: string | null;
}

/**
 * Adds an existing user who consents to the owner's workspace. Errors that the owner could also learn by creating a
 * user with that email need no consent token. Whether the user has a subscription is revealed only with consent.
 */
export async function attachUser(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'log' | 'sealingKeys' | 'publicUrl'>,
  ownerId: string,
  wanted: Attachment,
  by: ActingOwner,
): Promise<{ user: ManagedUserRow; alreadyInWorkspace: boolean }> {
  const found = await findCandidate(app.db, wanted);
  const { id } = found;
  if (id === ownerId) throw new Problem('attach_self');
  let alreadyInWorkspace = isMember(found, ownerId);
  if (!alreadyInWorkspace) {
    // Checked before the transaction, because the session is read on another database connection.
    const token = await requireConsent(app, id, wanted.consentToken);
    const join = (tx: Db) => moveIn(app, tx, { ...found, ownerId }, token, by);
    alreadyInWorkspace = await inLockTurn(ownerId, () => app.db.transaction().execute(join));
  }
  const [user] = await selectManagedUsers(app.db, ownerId, app.clock.now(), id);
  // The user was detached again in the meantime.
  if (!user) throw new Problem('attach_user_not_found');
  return { user, alreadyInWorkspace };
}

/** The relation of a user to an owner's workspace. */
export type Standing =
  | 'standalone_user_exists'
  | 'already_in_workspace'
  | 'managed_by_another_workspace'
  | 'workspace_owner'
  | 'inactive_user';

export function standingOf(user: Candidate, ownerId: string): Standing {
  if (user.ownerId === ownerId) return 'already_in_workspace';
  if (!user.isActive) return 'inactive_user';
  if (user.ownsWorkspace) return 'workspace_owner';
  return user.ownerId === null ? 'standalone_user_exists' : 'managed_by_another_workspace';
}

const refusals: Partial<Record<Standing, ProblemKey>> = {
  inactive_user: 'attach_user_inactive',
  workspace_owner: 'attach_workspace_owner',
  managed_by_another_workspace: 'attach_other_workspace',
};

/** Whether the owner already manages this user. Throws if the owner cannot manage it at all. */
function isMember(user: Candidate, ownerId: string): boolean {
  const standing = standingOf(user, ownerId);
  const refusal = refusals[standing];
  if (refusal) throw new Problem(refusal);
  return standing === 'already_in_workspace';
}

async function findCandidate(db: Db, { email, userId }: Attachment): Promise<Candidate & { email: string }> {
  const found = await selectCandidates(db, { email, id: userId });
  const [user] = found;
  if (!user) throw new Problem('attach_user_not_found');
  const isMeant = (email === null || user.email === email) && (userId === null || user.id === userId);
  if (found.length > 1 || !isMeant) throw new Problem('attach_identifier_mismatch');
  return user;
}

async function requireConsent(
  app: Parameters<typeof userOfAccessToken>[0] & Pick<App, 'clock'>,
  userId: string,
  token: string | null,
): Promise<string> {
  if (token === null) throw new Problem('attach_consent_required');
  const agreed = isAttachToken(token)
    ? await userOfAttachToken(app, token)
    : ((await userOfAccessToken(app, token))?.userId ?? null);
  if (agreed === null) throw new Problem('attach_consent_invalid');
  if (agreed !== userId) throw new Problem('attach_consent_mismatch');
  return token;
}

/**
 * Checks again under a lock, so that no other request can move the user or use up the owner's limit. Returns true if
 * the user is already in the workspace.
 */
async function moveIn(
  app: Pick<App, 'clock' | 'newId' | 'sealingKeys' | 'publicUrl'>,
  tx: Db,
  { id: userId, email, ownerId }: { id: string; email: string; ownerId: string },
  token: string,
  by: ActingOwner,
): Promise<boolean> {
  await lockUsers(tx, [ownerId, userId]);
  if (by.credential) await requireLive(app, tx, by.credential);
  const [user] = await selectCandidates(tx, { id: userId });
  if (!user) throw new Problem('attach_user_not_found');
  if (isMember(user, ownerId)) return true;
  await requireNoHold(app, tx, userId);
  if (user.hasSubscription) throw new Problem('attach_active_subscription');
  await requireRoomForUser(tx, ownerId);
  await requireRoom(tx, ownerId, userId);
  // A rejected attempt does not consume the token.
  if (!(await stillConsents(app, tx, userId, token))) throw new Problem('attach_consent_invalid');
  if (!isAttachToken(token)) await markMadeSince(tx, userId, hashSessionToken(token));
  await updateOwner(tx, userId, ownerId, app.clock.now());
  await recordForBoth(app, tx, 'member_attached', { ownerId, userId, email }, by);
  await mailMember(app, tx, { ownerId, email });
  return false;
}

/** An attach token works once. A session may have ended since it was checked. */
const stillConsents = (app: Pick<App, 'clock'>, tx: Db, userId: string, token: string): Promise<boolean> =>
  isAttachToken(token) ? useAttachToken(app, tx, token) : hasSessionOfToken(tx, userId, hashSessionToken(token));

/**
 * Sent to the member instead of the owner, unlike other mails of managed users: someone else may have consented with
 * a stolen session.
 */
async function mailMember(
  app: Pick<App, 'clock' | 'newId' | 'sealingKeys' | 'publicUrl'>,
  tx: Db,
  { ownerId, email }: { ownerId: string; email: string },
) {
  const owner = await findUserBy(tx, { id: ownerId });
  const data = {
    owner: owner!.name,
    ownerEmail: owner!.email,
    at: app.clock.now().toISOString(),
    settingsUrl: `${app.publicUrl}/settings/security`,
    resetUrl: `${app.publicUrl}/forgot-password`,
  };
  await queueMail(app, tx, { to: email, kind: 'workspace_joined', data });
}

/** The count is exact only while the owner is locked. */
export async function requireRoomForUser(tx: Db, ownerId: string) {
  if ((await countManagedUsers(tx, ownerId)) >= accountLimits.managedUsers) {
    throw new Problem('managed_user_limit_reached');
  }
}

/**
 * The owner's plan must have room for the user's connections. One request per owner at a time, as when connections
 * are stored.
 */
async function requireRoom(tx: Db, ownerId: string, userId: string) {
  await lockPlan(tx, ownerId);
  const { plan, connectionQuantity, used, requested } = await selectChannelUse(tx, ownerId, userId);
  const ofPlan = entitlementsOf(plan, connectionQuantity).connections ?? Number.POSITIVE_INFINITY;
  const limit = Math.min(ofPlan, accountLimits.connectionsPerOwner);
  if (requested === 0 || used + requested <= limit) return;
  throw limitExceeded('CHANNEL_LIMIT_REACHED', { plan, limit, used, requested });
}
