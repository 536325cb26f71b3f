import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { connectionTo } from './connection-to.ts';

/** A connection keeps its prepared statements until it ends, and each takes many times the memory of its text. */
const maxPrepared = 1_000;
const maxPreparedLength = 20_000;

const mark = '/* planned again */';

/**
 * Goes at the start of a statement whose best plan depends on its values, such as how many rows contain a word.
 * PostgreSQL then plans it again for every call.
 */
export const plannedAnew = sql.raw(mark);

/**
 * Makes a connection parse each statement only once, up to a number of statements, and replan it only while PostgreSQL
 * considers that useful. Planning one of our long statements costs more than running it: a bare handler created 1010
 * instead of 427 drafts a second.
 */
export function prepareStatements(client: pg.PoolClient) {
  const query: (...call: unknown[]) => unknown = client.query.bind(client);
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxPrepared || text.length > maxPreparedLength) return known;
    const name = createHash('md5').update(text).digest('hex');
    names.set(text, name);
    return name;
  };
  const prepared = (...call: unknown[]) => {
    const [text, values] = call;
    const isOurs = call.length === 2 && typeof text === 'string' && Array.isArray(values) && !text.startsWith(mark);
    const name = isOurs ? nameOf(text) : undefined;
    return name === undefined ? query(...call) : query({ text, values, name });
  };
  Object.assign(client, { query: prepared });
}

/**
 * Whether a pooler between us and the server tracks what is prepared on each connection. PgBouncer 1.21 and later does,
 * unless max_prepared_statements is 0, and renames the statements. Other poolers are assumed not to.
 */
export async function poolerKeepsStatements(url: string): Promise<boolean> {
  const { Client, connectionString } = connectionTo(url);
  const client = new Client({ connectionString, application_name: 'crier-start', connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  const name = `crier-${randomUUID()}`;
  try {
    // A transaction stays on one server connection.
    await client.query('begin');
    await client.query({ name, text: 'select 1' });
    const { rows } = await client.query<{ isOurs: boolean }>(
      `select exists (select from pg_prepared_statements where name = '${name}') as "isOurs"`,
    );
    const isOurs = rows[0]?.isOurs ?? true;
    // A statement left under our name would collide with the next user of this connection.
    if (isOurs) await client.query(`deallocate "${name}"`);
    await client.query('rollback');
    return !isOurs;
  } finally {
    await client.end();
  }
}
