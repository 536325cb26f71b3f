import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import { connectionTo } from './connection-to.ts';

/** A connection keeps what it has prepared until it ends, which takes many times the memory of the text. */
const maxPrepared = 1_000;
const maxPreparedLength = 20_000;

const mark = '/* planned again */';

/**
 * At the beginning of a statement whose best plan depends on its values, such as how many rows have a word. It is planned again
 * each time.
 */
export const plannedAnew = sql.raw(mark);

/**
 * Makes a connection parse each statement only once, up to a number of statements, and plan it again only while PostgreSQL considers that useful. Planning
 * one of our long statements costs more than running it: a bare handler created 1010 instead of 427 drafts a second.
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
 * Whether a pooler between us and the server knows what is prepared on each connection. PgBouncer does from version 1.21 on,
 * unless max_prepared_statements is 0, and gives the statements names of its own. Other poolers are assumed not to.
 */
export async function poolerKeepsStatements(url: string): Promise<boolean> {
  const { Client, connectionString } = connectionTo(url);
  const client = new Client({ connectionString, application_name: 'crier-start', connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  await client.connect();
  const name = `crier-${randomUUID()}`;
  try {
    // One transaction is on one connection to the server.
    await client.query('begin');
    await client.query({ name, text: 'select 1' });
    const { rows } = await client.query<{ isOurs: boolean }>(
      `select exists (select from pg_prepared_statements where name = '${name}') as "isOurs"`,
    );
    const isOurs = rows[0]?.isOurs ?? true;
    // A statement that stays under our name would meet the next user of this connection.
    if (isOurs) await client.query(`deallocate "${name}"`);
    await client.query('rollback');
    return !isOurs;
  } finally {
    await client.end();
  }
}
