import type { z } from 'zod';
import type { App } from '../../../app.ts';
import { whoIs } from '../../auth/access/api-key.ts';
import { selectWorkspaceOwner } from '../workspace/queries.ts';
import { maySetUpWorkspace } from '../workspace/workspace.ts';
import { type ProfileOfMember, selectProfile, updateProfileRow } from './queries.ts';
import type { UpdateProfile } from './schema.ts';

export const readProfile = async ({ db }: Pick<App, 'db'>, userId: string): Promise<ProfileOfMember> => ({
  ...(await selectProfile(db, userId)),
  workspaceOwner: await selectWorkspaceOwner(db, userId),
  hasWorkspace: (await whoIs(db, userId)).workspaceOwnerId !== null,
  canSetUpWorkspace: await maySetUpWorkspace({ db }, userId),
});

/** Missing fields stay unchanged. */
export async function changeProfile(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  userId: string,
  { isWelcomeDone, ...changes }: z.infer<typeof UpdateProfile>,
): Promise<ProfileOfMember> {
  const now = clock.now();
  await updateProfileRow(db, userId, { ...changes, welcomeDoneAt: isWelcomeDone ? now : undefined }, now);
  return readProfile({ db }, userId);
}
