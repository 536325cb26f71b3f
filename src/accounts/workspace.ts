import type { z } from 'zod';
import type { App } from '../app.ts';
import type { Db } from '../db/database.ts';
import { Problem } from '../errors.ts';
import { hashKey } from '../http/auth.ts';
import { exchangeCurrentKey } from './api-keys.ts';
import { standingOf } from './attach-user.ts';
import { type ConnectionLink, linkFor } from './connection-links.ts';
import { plainName } from './plain-name.ts';
import { revokeCurrentApiKey } from './queries.ts';
import {
  deleteLink,
  deleteSessions,
  findWorkspaceOwner,
  insertManagedUser,
  lockManagedUser,
  type ManagedUserRow,
  selectCandidates,
  selectManagedUsers,
  updateToStandalone,
} from './workspace-queries.ts';
import type { CreateManagedUser, NewConnectionUrl } from './workspace-schema.ts';

/**
 * The owner of the workspace that a key gives access to: the user of the key, whichever user the request acts as. `ownerId` of
 * `Who` must not be used for this, because a managed user's own key has the same `ownerId` and must not get access.
 */
export async function workspaceOwnerOf({ db }: Pick<App, 'db'>, apiKey: string): Promise<string> {
  const ownerId = await findWorkspaceOwner(db, hashKey(apiKey));
  if (!ownerId) throw new Problem('workspace_disabled');
  return ownerId;
}

export const listManagedUsers = ({ db, clock }: Pick<App, 'db' | 'clock'>, ownerId: string) =>
  selectManagedUsers(db, ownerId, clock.now());

/** Creates a user without a password, to whom the limits of the owner apply. */
export async function createManagedUser(
  app: Pick<App, 'db' | 'clock' | 'newId' | 'config'>,
  ownerId: string,
  { username: email, displayName }: z.infer<typeof CreateManagedUser>,
): Promise<ManagedUserRow> {
  const user = { id: app.newId(), email, name: plainName(displayName ?? '') || email };
  const added = await insertManagedUser(app.db, { ...user, plan: app.config.defaultPlan, ownerId }, app.clock.now());
  if (!added) throw await emailExists(app.db, ownerId, email);
  return { ...user, isActive: true, link: null };
}

/**
 * The user keeps its account, its data and the keys that it created at the dashboard, and gets the default plan. Everything
 * that the owner may know stops working: the current key, the link, and the session with which the user consented.
 */
export async function detachUser(app: Pick<App, 'db' | 'clock' | 'config'>, ownerId: string, userId: string) {
  const now = app.clock.now();
  await withManagedUser(app, ownerId, userId, async (tx) => {
    await updateToStandalone(tx, userId, app.config.defaultPlan, now);
    await revokeCurrentApiKey(tx, userId, now);
    await deleteSessions(tx, userId);
    await deleteLink(tx, userId);
  });
}

/** Replaces the managed user's single current key. The previous one stops working. */
export function replaceManagedUserKey(
  app: Pick<App, 'db' | 'clock' | 'newId'>,
  ownerId: string,
  userId: string,
): Promise<string> {
  return withManagedUser(app, ownerId, userId, async (tx) => {
    try {
      return await exchangeCurrentKey(app, tx, userId);
    } catch (error) {
      // A managed user is on the plan of its owner, so the error names the owner.
      const withoutApi = error instanceof Problem && error.key === 'plan_without_api';
      throw withoutApi ? new Problem('owner_without_api') : error;
    }
  });
}

export const connectionLinkOf = (
  app: Pick<App, 'db' | 'clock' | 'publicUrl' | 'sealingKeys'>,
  ownerId: string,
  userId: string,
  wanted: z.infer<typeof NewConnectionUrl>,
): Promise<ConnectionLink> => withManagedUser(app, ownerId, userId, (tx) => linkFor(app, tx, userId, wanted));

/** The link stops working. There may be none. */
export const revokeConnectionLink = (app: Pick<App, 'db'>, ownerId: string, userId: string) =>
  withManagedUser(app, ownerId, userId, (tx) => deleteLink(tx, userId));

/** Locks the user, so that it cannot leave the workspace, and no other request changes its key or link at the same time. */
function withManagedUser<T>({ db }: Pick<App, 'db'>, ownerId: string, userId: string, run: (tx: Db) => Promise<T>) {
  return db.transaction().execute(async (tx) => {
    if (!(await lockManagedUser(tx, ownerId, userId))) throw new Problem('managed_user_not_found');
    return run(tx);
  });
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
