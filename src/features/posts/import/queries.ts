import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

/** Tells the event streams of the user, if there are any. */
export const recordProgress = (db: Db, userId: string, progress: object) =>
  sql`
    insert into changes (user_id, kind, data)
    select user_id, 'import', ${JSON.stringify({ change: 'updated', ...progress })}::jsonb
    from stream_users where user_id = ${userId}`.execute(db);
