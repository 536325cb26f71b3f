import { randomBytes } from 'node:crypto';
import type { TestDatabase } from '../database/postgres.ts';
import type { TestClock } from './app.ts';

type Columns = Record<string, unknown>;

/** A row for a user in every table that stores a secret of a user. */
export function secretRows(clock: Pick<TestClock, 'now'>): Record<string, (userId: string) => Columns> {
  const hash = () => randomBytes(32);
  const text = () => randomBytes(8).toString('hex');
  const now = () => clock.now();
  const later = () => new Date(clock.now().getTime() + 600_000);
  return {
    auth_sessions: (user_id) => ({ id: text(), user_id, token: hash().toString('hex'), expires_at: later() }),
    email_changes: (user_id) => ({
      token_hash: hash(),
      user_id,
      new_email: 'thief@example.com',
      created_at: now(),
      expires_at: later(),
    }),
    password_resets: (user_id) => ({
      token_hash: hash(),
      user_id,
      is_mailed: false,
      created_at: now(),
      expires_at: later(),
    }),
    sign_in_challenges: (user_id) => ({ token_hash: hash(), user_id, expires_at: later() }),
    attach_tokens: (user_id) => ({ user_id, token_hash: hash(), expires_at: later() }),
    oauth_codes: (user_id) => ({
      code_hash: hash(),
      grant_id: text(),
      client_id: 'client',
      user_id,
      redirect_uri: 'http://127.0.0.1/',
      code_challenge: 'x',
      resource: 'http://crier.test/mcp',
      scopes: ['read'],
      expires_at: later(),
    }),
    oauth_flows: (user_id) => ({
      state_hash: hash(),
      user_id,
      platform: 'mastodon',
      secrets: 'sealed',
      expires_at: later(),
    }),
    account_choices: (user_id) => ({
      id: text(),
      user_id,
      platform: 'facebook',
      grants: 'sealed',
      expires_at: later(),
    }),
    auth_accounts: (user_id) => ({ id: text(), user_id, account_id: user_id, provider_id: 'other' }),
    // A secret without its first code.
    two_factors: (user_id) => ({ user_id, secret: 'sealed', created_at: now() }),
    recovery_codes: (user_id) => ({ user_id, code_hash: hash() }),
    known_devices: (user_id) => ({
      user_id,
      token_hash: hash(),
      address: '192.0.2.1',
      device: 'Firefox',
      first_seen_at: now(),
      last_seen_at: now(),
    }),
    connection_links: (user_id) => ({
      user_id,
      token_hash: hash(),
      token: 'sealed',
      expires_at: later(),
      created_at: now(),
    }),
    api_keys: (user_id) => ({
      id: 'key',
      user_id,
      kind: 'current',
      name: 'Key',
      key_prefix: 'sk_x',
      key_hash: hash(),
    }),
    oauth_refresh_tokens: (user_id) => ({
      token_hash: hash(),
      grant_id: text(),
      client_id: 'client',
      user_id,
      key_id: 'key',
      resource: 'http://crier.test/mcp',
      created_at: now(),
    }),
    auth_passkeys: (user_id) => ({
      id: text(),
      user_id,
      name: 'Phone',
      credential_id: text(),
      public_key: 'x',
      counter: 0,
      device_type: 'singleDevice',
      backed_up: false,
    }),
    connections: (user_id) => ({
      id: text(),
      user_id,
      platform: 'mastodon',
      account_id: '1',
      handle: 'ada',
      display_name: 'Ada',
      credentials: 'sealed',
    }),
    webhooks: (user_id) => ({
      id: text(),
      user_id,
      name: 'Hook',
      url: 'https://example.com/',
      events: ['post.published'],
      secret: 'sealed',
      created_at: now(),
      updated_at: now(),
    }),
  };
}

/** The tables of users with a column whose name suggests a secret. */
export async function secretTables({ pool }: Pick<TestDatabase, 'pool'>): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    select distinct reference.conrelid::regclass::text as name
    from pg_constraint as reference
    join pg_attribute as field on field.attrelid = reference.conrelid and field.attnum > 0 and not field.attisdropped
    where reference.contype = 'f' and reference.confrelid = 'users'::regclass
      and field.attname ~ '(_hash|token|secrets?|password|public_key|credentials|grants)$'
      -- The fencing token of a claim and the fingerprint of a body open nothing.
      and field.attname <> 'claim_token'
    order by name`);
  return rows.map(({ name }) => name);
}

/** The tables whose rows record the session that created them. */
export async function sessionTables({ pool }: Pick<TestDatabase, 'pool'>): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    select conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'auth_sessions'::regclass and confdeltype = 'c' order by name`);
  return rows.map(({ name }) => name);
}

/** Stores one row of each table for the user. Rows of an earlier user that would conflict are deleted. */
export async function insertSecretRows(
  { pool }: Pick<TestDatabase, 'pool'>,
  rows: ReturnType<typeof secretRows>,
  userId: string,
) {
  await pool.query('delete from oauth_clients');
  await pool.query(`delete from api_keys where id = 'key'`);
  await pool.query(
    `insert into oauth_clients (id, name, redirect_uris, created_at) values ('client', 'Agent', '{}', now())`,
  );
  const order = ['api_keys', ...Object.keys(rows).filter((name) => name !== 'api_keys')];
  for (const table of order) {
    const columns = rows[table]!(userId);
    const names = Object.keys(columns);
    await pool.query(
      `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
      Object.values(columns),
    );
  }
}

/** The tables with a row of the user. A revoked key counts as none. */
export async function tablesWithRows(
  { pool }: Pick<TestDatabase, 'pool'>,
  tables: readonly string[],
  userId: string,
): Promise<string[]> {
  const found: string[] = [];
  for (const table of tables) {
    const more = table === 'api_keys' ? `and revoked_at is null and id = 'key'` : '';
    const { rows } = await pool.query(`select from ${table} where user_id = $1 ${more}`, [userId]);
    if (rows.length > 0) found.push(table);
  }
  return found;
}
