import type { Db } from '../../../foundation/db/database.ts';
import type { WorkspaceOwner } from '../workspace/queries.ts';

export interface ProfileRow {
  name: string;
  email: string;
  timeZone: string | null;
  weekStart: 'monday' | 'sunday' | 'saturday';
  hourCycle: '12' | '24' | null;
  language: string | null;
  welcomeDoneAt: Date | null;
  dismissedFailures: string[];
  createdAt: Date;
}

export interface ProfileOfMember extends ProfileRow {
  workspaceOwner: WorkspaceOwner | null;
  hasWorkspace: boolean;
  canSetUpWorkspace: boolean;
}

const columns = [
  'name',
  'email',
  'time_zone as timeZone',
  'week_start as weekStart',
  'hour_cycle as hourCycle',
  'language',
  'welcome_done_at as welcomeDoneAt',
  'dismissed_failures as dismissedFailures',
  'created_at as createdAt',
] as const;

export const selectProfile = (db: Db, userId: string): Promise<ProfileRow> =>
  db.selectFrom('users').select(columns).where('id', '=', userId).executeTakeFirstOrThrow();

export type ProfileChanges = { [Name in keyof Omit<ProfileRow, 'email' | 'createdAt'>]?: ProfileRow[Name] | undefined };

/** Undefined fields stay unchanged. */
export const updateProfileRow = (db: Db, userId: string, changes: ProfileChanges, now: Date) =>
  db
    .updateTable('users')
    .set({
      name: changes.name,
      time_zone: changes.timeZone,
      week_start: changes.weekStart,
      hour_cycle: changes.hourCycle,
      language: changes.language,
      welcome_done_at: changes.welcomeDoneAt,
      dismissed_failures: changes.dismissedFailures,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute();
