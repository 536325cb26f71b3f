import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { PlanKey } from '../lib/plans.ts';

export interface ManagedUserRow {
  id: string;
  email: string;
  name: string;
  isActive: boolean;
  /** Null without a link that still works. */
  link: LinkRow | null;
}

/** Its token is sealed. */
export interface LinkRow {
  token: string;
  expiresAt: Date;
}

/** What decides whether a user can join a workspace. */
export interface Candidate {
  id: string;
  isActive: boolean;
  ownerId: string | null;
  ownsWorkspace: boolean;
  /** Connections bought. */
  connectionQuantity: number | null;
}

/** The user a key was made for, if it may have managed users. A managed user never may, whatever its flag says. */
export async function findWorkspaceOwner(db: Db, keyHash: Buffer): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select users.id from api_keys join users on users.id = api_keys.user_id
    where api_keys.key_hash = ${keyHash} and api_keys.revoked_at is null
      and users.workspace_enabled and users.parent_user_id is null`.execute(db);
  return rows[0]?.id ?? null;
}

/** All users of the owner, oldest first, or one of them. */
export async function selectManagedUsers(
  db: Db,
  ownerId: string,
  now: Date,
  userId: string | null = null,
): Promise<ManagedUserRow[]> {
  const { rows } = await sql<Omit<ManagedUserRow, 'link'> & (LinkRow | { token: null; expiresAt: null })>`
    select users.id, users.email, users.name, users.is_active as "isActive", link.token, link.expires_at as "expiresAt"
    from users left join connection_links link on link.user_id = users.id and link.expires_at > ${now}
    where users.parent_user_id = ${ownerId} and (${userId}::text is null or users.id = ${userId})
    order by users.created_at, users.id`.execute(db);
  return rows.map(({ token, expiresAt, ...user }) => ({ ...user, link: token === null ? null : { token, expiresAt } }));
}

/** A user without a password. False: the e-mail is taken. */
export async function insertManagedUser(
  db: Db,
  user: { id: string; email: string; name: string; plan: PlanKey; ownerId: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into users (id, email, name, plan, parent_user_id, created_at, updated_at)
    values (${user.id}, ${user.email}, ${user.name}, ${user.plan}, ${user.ownerId}, ${now}, ${now})
    on conflict (email) do nothing
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Whoever has this e-mail or this id: two users, if these belong to different ones. */
export async function selectCandidates(
  db: Db,
  { email = null, id = null }: { email?: string | null; id?: string | null },
): Promise<(Candidate & { email: string })[]> {
  const { rows } = await sql<Candidate & { email: string }>`
    select id, email, is_active as "isActive", parent_user_id as "ownerId", connection_quantity as "connectionQuantity",
      workspace_enabled or exists (select from users managed where managed.parent_user_id = users.id) as "ownsWorkspace"
    from users where email = ${email} or id = ${id}`.execute(db);
  return rows;
}

/** Until the transaction ends, nobody else moves these users, nor counts on their limits. By id, so that two never wait for each other. */
export const lockUsers = (tx: Db, ids: readonly string[]) =>
  sql`select from users where id = any(${ids}) order by id for no key update`.execute(tx);

/** The same for a user of this owner. False: there is none. */
export async function lockManagedUser(tx: Db, ownerId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from users where id = ${userId} and parent_user_id = ${ownerId} for no key update`.execute(tx);
  return rows.length > 0;
}

export interface ChannelUse {
  plan: PlanKey;
  connectionQuantity: number | null;
  /** Connections of the owner and of all managed users. */
  used: number;
  /** Those that the new user brings. */
  requested: number;
}

export async function selectChannelUse(tx: Db, ownerId: string, newUserId: string): Promise<ChannelUse> {
  const { rows } = await sql<ChannelUse>`
    select plan, connection_quantity as "connectionQuantity",
      (select count(*) from connections
        where user_id in (select id from users where id = ${ownerId} or parent_user_id = ${ownerId}))::integer as used,
      (select count(*) from connections where user_id = ${newUserId})::integer as requested
    from users where id = ${ownerId}`.execute(tx);
  return rows[0]!;
}

export const updateOwner = (tx: Db, userId: string, ownerId: string, now: Date) =>
  sql`update users set parent_user_id = ${ownerId}, updated_at = ${now} where id = ${userId}`.execute(tx);

export const updateToStandalone = (tx: Db, userId: string, plan: PlanKey, now: Date) =>
  sql`
    update users set parent_user_id = null, plan = ${plan}, connection_quantity = null, updated_at = ${now}
    where id = ${userId}`.execute(tx);

export const deleteSessions = (tx: Db, userId: string) =>
  sql`delete from auth_sessions where user_id = ${userId}`.execute(tx);

/** The user's link, if it still works. */
export async function selectLink(tx: Db, userId: string, now: Date): Promise<LinkRow | null> {
  const { rows } = await sql<LinkRow>`
    select token, expires_at as "expiresAt" from connection_links
    where user_id = ${userId} and expires_at > ${now}`.execute(tx);
  return rows[0] ?? null;
}

/** In place of the link before it. */
export const upsertLink = (tx: Db, userId: string, link: LinkRow & { tokenHash: Buffer }, now: Date) =>
  sql`
    insert into connection_links (user_id, token_hash, token, expires_at, created_at)
    values (${userId}, ${link.tokenHash}, ${link.token}, ${link.expiresAt}, ${now})
    on conflict (user_id) do update set token_hash = excluded.token_hash, token = excluded.token,
      expires_at = excluded.expires_at, created_at = excluded.created_at`.execute(tx);

export const deleteLink = (tx: Db, userId: string) =>
  sql`delete from connection_links where user_id = ${userId}`.execute(tx);
