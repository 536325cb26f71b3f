import type { Statement } from './record-statements.ts';
import type { SizedDatabase, SizedWork } from './sized-work.ts';

type Plans = Record<string, Record<number, { statement: string; plan: string }[]>>;

/** EXPLAIN (ANALYZE, BUFFERS) of every statement that the work sends, by its name and the number of groups. */
export async function plansOf(databases: readonly SizedDatabase[], work: readonly SizedWork[]): Promise<Plans> {
  const plans: Plans = {};
  for (const { name, prepare } of work) {
    plans[name] = {};
    for (const database of databases) {
      const statements = await database.record(await prepare(database));
      // The work may have used up what was prepared for it.
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

/** Whatever the statement does is undone. */
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
