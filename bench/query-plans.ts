import type { Statement } from './record-statements.ts';
import type { SizedDatabase, SizedWork } from './sized-work.ts';

type Plans = Record<string, Record<number, { statement: string; plan: string }[]>>;

/** EXPLAIN (ANALYZE, BUFFERS) of every statement of the work, by its name and the number of groups. */
export async function plansOf(databases: readonly SizedDatabase[], work: readonly SizedWork[]): Promise<Plans> {
  const plans: Plans = {};
  for (const { name, prepare } of work) {
    plans[name] = {};
    for (const database of databases) {
      const statements = await database.record(await prepare(database));
      // The work may have consumed the prepared data.
      await prepare(database);
      const explained: { statement: string; plan: string }[] = [];
      for (const statement of statements) {
        if (!isTransactional(statement))
          explained.push({ statement: statement.text, plan: await planOf(database, statement) });
      }
      plans[name][database.groups] = explained;
    }
  }
  return plans;
}

const isTransactional = ({ text }: Statement) => /^(begin|start|commit|rollback)/i.test(text.trim());

/** Rolls back all effects of the statement. */
async function planOf({ core }: SizedDatabase, { text, values }: Statement): Promise<string> {
  const client = await core.pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(`explain (analyze, buffers) ${text}`, values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.query('rollback');
    client.release();
  }
}
