import type { z } from 'zod';
import type { App } from '../app.ts';
import { selectProfile, updateProfileRow } from './profile-queries.ts';
import type { UpdateProfile } from './profile-schema.ts';

export const readProfile = ({ db }: Pick<App, 'db'>, userId: string) => selectProfile(db, userId);

/** What is absent stays as it is. */
export function changeProfile(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  userId: string,
  { isWelcomeDone, ...changes }: z.infer<typeof UpdateProfile>,
) {
  const now = clock.now();
  return updateProfileRow(db, userId, { ...changes, welcomeDoneAt: isWelcomeDone ? now : undefined }, now);
}
