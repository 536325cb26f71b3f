import type { App } from '../app.ts';
import { findUser } from './accounts.ts';
import { type UserRow, type UserSwitches, updateSwitches } from './queries.ts';
import { deleteSessions } from './workspace-queries.ts';

/** What only the operator of the service may change about a user. Every process follows at once. */

type Needs = Pick<App, 'db' | 'clock'>;

export interface AccessSwitches {
  api?: boolean | undefined;
  mcp?: boolean | undefined;
  /** Whether the user's keys may act for the users that it manages. */
  workspace?: boolean | undefined;
}

/** A switch that is not given stays as it is. */
export const setAccess = (app: Needs, user: string, { api, mcp, workspace }: AccessSwitches) =>
  change(app, user, { api_access: api, mcp_access: mcp, workspace_enabled: workspace });

/** An admin may manage users without workspace access. */
export const setRole = (app: Needs, user: string, role: 'admin' | 'user') => change(app, user, { role });

/** The user cannot use the dashboard until the hold ends. API keys keep working (contract section 7). */
export const holdUser = (app: Needs, user: string, { reason, until }: { reason: string | null; until: Date | null }) =>
  change(app, user, { held_at: app.clock.now(), hold_expires_at: until, hold_reason: reason });

export const releaseUser = (app: Needs, user: string) =>
  change(app, user, { held_at: null, hold_expires_at: null, hold_reason: null });

/** Neither keys nor passwords of the user and of its managed users work. Its data stays. */
export async function deactivateUser(app: Needs, user: string) {
  const changed = await change(app, user, { is_active: false });
  await deleteSessions(app.db, changed.id);
  return changed;
}

export const activateUser = (app: Needs, user: string) => change(app, user, { is_active: true });

async function change(app: Needs, idOrEmail: string, switches: UserSwitches): Promise<UserRow> {
  const user = await findUser(app, idOrEmail);
  await updateSwitches(app.db, user.id, switches, app.clock.now());
  return user;
}
