import type { z } from 'zod';
import type { App } from '../../../app.ts';
import { whoIs } from '../../auth/access/api-key.ts';
import { selectWorkspaceOwner } from '../workspace/queries.ts';
import { maySetUpWorkspace } from '../workspace/workspace.ts';
import { type ProfileOfMember, selectProfile, updateProfileRow } from './queries.ts';
import type { UpdateProfile } from './schema.ts';

export const readProfile = async (
  { db, sandboxUrl }: Pick<App, 'db' | 'sandboxUrl'>,
  userId: string,
): Promise<ProfileOfMember> => ({
  ...(await selectProfile(db, userId)),
  workspaceOwner: await selectWorkspaceOwner(db, userId),
  hasWorkspace: (await whoIs(db, userId)).workspaceOwnerId !== null,
  canSetUpWorkspace: await maySetUpWorkspace({ db, sandboxUrl }, userId),
});

/** Missing fields stay unchanged. */
export async function changeProfile(
  app: Pick<App, 'db' | 'clock' | 'sandboxUrl'>,
  userId: string,
  { isWelcomeDone, ...changes }: z.infer<typeof UpdateProfile>,
): Promise<ProfileOfMember> {
  const now = app.clock.now();
  await updateProfileRow(app.db, userId, { ...changes, welcomeDoneAt: isWelcomeDone ? now : undefined }, now);
  return readProfile(app, userId);
}
