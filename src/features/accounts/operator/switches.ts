import type { App } from '../../../app.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { operatorActor } from '../../audit/actors.ts';
import type { Actor, AuditEntry } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/audit-log.ts';
import { type UserRow, type UserSwitches, updateSwitches } from '../../users/queries.ts';
import { deleteSessions } from '../workspace/queries.ts';
import { findUser } from './users.ts';

/**
 * Settings of a user that only the operator of the service may change. They take effect immediately in every process,
 * and the user's audit log records who changed them.
 */

type SwitchesApp = Pick<App, 'db' | 'clock' | 'newId'>;

export interface AccessSwitches {
  api?: boolean | undefined;
  mcp?: boolean | undefined;
  /** Whether the user's keys may act for the users that it manages. */
  workspace?: boolean | undefined;
}

/** Missing switches stay unchanged. */
export function setAccess(app: SwitchesApp, user: string, { api, mcp, workspace }: AccessSwitches) {
  const details = {
    ...(api !== undefined && { api }),
    ...(mcp !== undefined && { mcp }),
    ...(workspace !== undefined && { workspace }),
  };
  const workspaceSwitches = workspace !== undefined && { workspace_enabled: workspace, workspace_denied: !workspace };
  const switches = { api_access: api, mcp_access: mcp, ...workspaceSwitches };
  return change(app, user, switches, { event: 'access_changed', details });
}

/** An admin may manage users without workspace access. */
export const setRole = (app: SwitchesApp, user: string, role: 'admin' | 'user') =>
  change(app, user, { role }, { event: 'role_changed', details: { role } });

/** The user cannot use the dashboard until the hold ends. API keys keep working (contract.md#auth.hold). */
export function holdUser(
  app: SwitchesApp,
  user: string,
  { reason, until }: { reason: string | null; until: Date | null },
) {
  const switches = { held_at: app.clock.now(), hold_expires_at: until, hold_reason: reason };
  return change(app, user, switches, { event: 'held', details: { reason, until: until?.toISOString() ?? null } });
}

export const releaseUser = (app: SwitchesApp, user: string) =>
  change(app, user, { held_at: null, hold_expires_at: null, hold_reason: null }, { event: 'released' });

/**
 * The user cannot sign in, keys of the user and of its managed users stop working, and nothing is published for them.
 * The data stays. Managed users who have a password can sign in and leave the workspace.
 */
export const deactivateUser = (app: SwitchesApp, user: string, actor: Actor = operatorActor()) =>
  change(app, user, { is_active: false }, { event: 'deactivated', actor }, (tx, { id }) => deleteSessions(tx, id));

export const activateUser = (app: SwitchesApp, user: string) =>
  change(app, user, { is_active: true }, { event: 'activated' });

async function change(
  app: SwitchesApp,
  idOrEmail: string,
  switches: UserSwitches,
  { actor = operatorActor(), ...entry }: Pick<AuditEntry, 'event' | 'details'> & { actor?: Actor },
  alsoChange?: (tx: Db, user: UserRow) => Promise<unknown>,
): Promise<UserRow> {
  const user = await findUser(app, idOrEmail);
  await app.db.transaction().execute(async (tx) => {
    await updateSwitches(tx, user.id, switches, app.clock.now());
    await alsoChange?.(tx, user);
    await recordAudit(app, tx, { ...entry, userId: user.id, actor });
  });
  return user;
}
