// Holds a lock in a transaction that never ends: node test/cluster/lock-holder.ts postgres://…
import { sql } from 'kysely';
import { openDatabase } from '../../src/foundation/db/database.ts';

const { db } = openDatabase(process.argv[2] ?? '');
await db.transaction().execute(async (tx) => {
  await sql`select pg_advisory_xact_lock(1)`.execute(tx);
  console.log('locked');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
