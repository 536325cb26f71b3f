import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Stage } from './harness/stage.ts';

/** A user with an API key, and connections in the order of their platforms. */
export interface Tenant {
  userId: string;
  apiKey: string;
  connections: TenantConnection[];
}

export interface TenantConnection {
  id: string;
  platform: string;
  accountId: string;
}

export const platformIdOf = ({ platform, accountId }: TenantConnection) => `${platform}-${accountId}`;
export const keyOf = ({ apiKey }: Tenant) => ({ 'x-service-key': apiKey });

/** Has accounts in the sandbox, and the plan without limits. */
export async function signUp({ admin, pool }: Stage, networks: string, accounts = 1): Promise<Tenant> {
  const user = ['--email', 'bench@example.com', '--password', 'correct horse', '--plan', 'agency'];
  const { userId, apiKey } = await admin<{ userId: string; apiKey: string }>('create-user', ...user);
  await admin('connect-sandbox', '--user', userId, '--networks', networks, '--count', String(accounts));
  return { userId, apiKey, connections: await connectionsOf(pool, userId) };
}

/** Has accounts on the same platforms, which cannot publish, because they have no credentials. */
export async function insertTenant(pool: pg.Pool, platforms: readonly string[]): Promise<Tenant> {
  const userId = randomBytes(12).toString('hex');
  const apiKey = `sk_${userId}.${randomBytes(16).toString('hex')}`;
  await pool.query(
    `insert into users (id, email, name, plan, plan_is_default) values ($1, $1 || '@example.com', $1, 'agency', false)`,
    [userId],
  );
  await pool.query(
    `insert into api_keys (id, user_id, kind, name, key_prefix, key_hash) values ($1, $1, 'dashboard', 'bench', $2, $3)`,
    [userId, apiKey.split('.')[0], createHash('sha256').update(apiKey).digest()],
  );
  await pool.query(
    `insert into connections (id, user_id, platform, account_id, handle, display_name, credentials)
    select substr(md5($1 || platform), 1, 24), $1, platform, substr(md5(platform || $1), 1, 24), 'bench', 'Bench', 'none'
    from unnest($2::text[]) as platform`,
    [userId, platforms],
  );
  return { userId, apiKey, connections: await connectionsOf(pool, userId) };
}

async function connectionsOf(pool: pg.Pool, userId: string): Promise<TenantConnection[]> {
  const { rows } = await pool.query<TenantConnection>(
    `select id, platform, account_id as "accountId" from connections where user_id = $1 order by platform, id`,
    [userId],
  );
  return rows;
}
