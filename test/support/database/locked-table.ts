import type { Pool } from 'pg';
import { eventually } from '../eventually.ts';

/**
 * Starts `other` while the transaction of `first` has changed everything else and waits to write to this table. `first`
 * continues when `other` has ended or waits for that transaction, so that the two interleave in this order on every
 * machine.
 */
export async function whileTableIsLocked<First, Other>(
  pool: Pool,
  table: 'mails' | 'recovery_codes',
  first: () => Promise<First>,
  other: () => Promise<Other>,
): Promise<[First, Other]> {
  const waiting = async (condition: string) => {
    const { rows } = await pool.query(`
      select from pg_locks join pg_database on pg_database.oid = pg_locks.database or pg_locks.database is null
      where pg_database.datname = current_database() and not granted and ${condition}`);
    if (rows.length === 0) throw new Error('Nothing waits yet.');
  };
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    await holder.query(`lock table ${table} in share mode`);
    const started = first();
    await eventually(() => waiting(`relation = '${table}'::regclass`));
    const answer = other();
    let hasEnded = false;
    void answer.finally(() => {
      hasEnded = true;
    });
    await eventually(async () => {
      if (!hasEnded) await waiting(`locktype in ('transactionid', 'tuple')`);
    });
    await holder.query('rollback');
    return await Promise.all([started, answer]);
  } finally {
    holder.release(true);
  }
}
