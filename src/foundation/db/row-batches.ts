import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

/** How many rows are in memory at the same time. */
const batchSize = 50;
/** If that many rows have more than this, they are read one by one. */
const batchBytes = 500_000;

/**
 * Reads rows in batches with a cursor, so that neither a large table nor many long texts are in memory as a whole.
 * `bytes` is the size of a row that may be long.
 */
export async function* rowBatches<Row>(
  tx: Db,
  name: string,
  query: RawBuilder<Row>,
  bytes: RawBuilder<unknown> = sql`0`,
): AsyncGenerator<Row[]> {
  const cursor = sql.id(name);
  await sql`
    declare ${cursor} no scroll cursor for
    select *, sum(${bytes}) over (rows between 1 following and ${sql.lit(batchSize)} following)::float8 as "bytesAhead"
    from (${query}) part`.execute(tx);
  // Null: no row is left.
  let bytesAhead: number | null = Number.POSITIVE_INFINITY;
  while (bytesAhead !== null) {
    const size: number = bytesAhead > batchBytes ? 1 : batchSize;
    const { rows } = await sql<Row & { bytesAhead: number | null }>`
      fetch ${sql.lit(size)} from ${cursor}`.execute(tx);
    bytesAhead = rows.at(-1)?.bytesAhead ?? null;
    yield rows.map(({ bytesAhead: _, ...row }) => row as Row);
  }
  await sql`close ${cursor}`.execute(tx);
}
