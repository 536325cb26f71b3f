import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';

/** The major version, and what time it is there. */
export async function selectServer(db: Db): Promise<{ version: number; now: Date }> {
  const { rows } = await sql<{ version: number; now: Date }>`
    select current_setting('server_version_num')::int / 10000 as version, clock_timestamp() as now`.execute(db);
  return rows[0]!;
}

export async function selectHasTable(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${table}) is not null as exists`.execute(db);
  return rows[0]!.exists;
}
