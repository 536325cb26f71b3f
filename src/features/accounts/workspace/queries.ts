import { sql } from 'kysely';
import { freePlan, type PlanKey } from '../../../config/plans.ts';
import { anyOf } from '../../../foundation/db/any-of.ts';
import type { Db } from '../../../foundation/db/database.ts';
import { problems } from '../../../foundation/errors/index.ts';
import type { labelColours } from '../../../foundation/errors/labels.ts';

export interface ManagedUserRow {
  id: string;
  email: string;
  name: string;
  isActive: boolean;
  colour: BrandColour | null;
  /** When its picture was chosen. */
  avatarAt: Date | null;
  /** Null if there is no link or it has expired. */
  link: LinkRow | null;
}

export type BrandColour = (typeof labelColours)[number];

export interface LinkRow {
  /** Encrypted. */
  token: string;
  expiresAt: Date;
}

/** The facts that decide whether a user can join a workspace. */
export interface Candidate {
  id: string;
  isActive: boolean;
  ownerId: string | null;
  ownsWorkspace: boolean;
  /** The user was given a paid plan, or connections were bought. */
  hasSubscription: boolean;
}

/** All managed users of the owner, oldest first, or only the one with `userId`. */
export async function selectManagedUsers(
  db: Db,
  ownerId: string,
  now: Date,
  userId: string | null = null,
): Promise<ManagedUserRow[]> {
  const { rows } = await sql<Omit<ManagedUserRow, 'link'> & (LinkRow | { token: null; expiresAt: null })>`
    select users.id, users.email, users.name, users.is_active as "isActive", brand_colour as colour,
      brand_avatars.updated_at as "avatarAt", link.token, link.expires_at as "expiresAt"
    from users left join brand_avatars on brand_avatars.user_id = users.id left join connection_links link on link.user_id = users.id and link.expires_at > ${now}
    where users.parent_user_id = ${ownerId} and (${userId}::text is null or users.id = ${userId})
    order by users.created_at, users.id`.execute(db);
  return rows.map(({ token, expiresAt, ...user }) => ({ ...user, link: token === null ? null : { token, expiresAt } }));
}

export async function countManagedUsers(tx: Db, ownerId: string): Promise<number> {
  const { rows } = await sql<{ users: number }>`
    select count(*)::integer as users from users where parent_user_id = ${ownerId}`.execute(tx);
  return rows[0]!.users;
}

/** Inserts a user without a password. Returns false if the email is taken. */
export async function insertManagedUser(
  db: Db,
  { ownerId, ...rest }: { id: string; email: string; name: string; plan: PlanKey; ownerId: string },
  now: Date,
): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values({ ...rest, parent_user_id: ownerId, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Undefined fields stay unchanged. */
export const updateBrand = (
  tx: Db,
  userId: string,
  { displayName, colour }: { displayName?: string | undefined; colour?: BrandColour | undefined },
  now: Date,
) =>
  tx
    .updateTable('users')
    .set({ name: displayName, brand_colour: colour, updated_at: now })
    .where('id', '=', userId)
    .execute();

/** A user on one of these plans who is in no workspace and whom no operator has denied one. */
const mayOwnWorkspace = (userId: string, planKeys: readonly PlanKey[]) => sql`
  id = ${userId} and plan = any (${planKeys}::text[]) and parent_user_id is null
    and not workspace_enabled and not workspace_denied`;

/** Returns false if the user has a workspace already or may not have one. */
export async function enableWorkspace(tx: Db, userId: string, planKeys: readonly PlanKey[], now: Date) {
  const { numAffectedRows = 0n } = await sql`
    update users set workspace_enabled = true, updated_at = ${now} where ${mayOwnWorkspace(userId, planKeys)}`.execute(
    tx,
  );
  return numAffectedRows > 0n;
}

export async function selectMayOwnWorkspace(db: Db, userId: string, planKeys: readonly PlanKey[]): Promise<boolean> {
  const { rows } = await sql`select from users where ${mayOwnWorkspace(userId, planKeys)}`.execute(db);
  return rows.length > 0;
}

/** The users with this email or this id. Two if the email and the id belong to different users. */
export async function selectCandidates(
  db: Db,
  { email = null, id = null }: { email?: string | null; id?: string | null },
): Promise<(Candidate & { email: string })[]> {
  const { rows } = await sql<Candidate & { email: string }>`
    select id, email, is_active and deletion_at is null as "isActive", parent_user_id as "ownerId",
      connection_quantity is not null or (not plan_is_default and plan <> ${freePlan}) as "hasSubscription",
      workspace_enabled or role = 'admin' or exists (select from users managed where managed.parent_user_id = users.id) as "ownsWorkspace"
    from users where email = ${email} or id = ${id}`.execute(db);
  return rows;
}

/**
 * Until the transaction ends, no other request can move these users or use up their limits. Locks the rows in order
 * of their ids to prevent deadlocks.
 */
export const lockUsers = (tx: Db, ids: readonly string[]) =>
  tx.selectFrom('users').select('id').where('id', '=', anyOf(ids)).orderBy('id').forNoKeyUpdate().execute();

/** Locks a user and all users it manages in the same order. */
export const lockWithAllManaged = (tx: Db, userId: string) =>
  sql`select from users where id = ${userId} or parent_user_id = ${userId} order by id for no key update`.execute(tx);

/** Locks a managed user of this owner, or of any owner, in the same order. Null if there is none. */
export async function lockManagedUser(
  tx: Db,
  ownerId: string | null,
  userId: string,
): Promise<{ ownerId: string; userId: string; email: string } | null> {
  const { rows } = await sql<{ ownerId: string; userId: string; email: string }>`
    select id as "userId", email, parent_user_id as "ownerId" from users
    where id = ${userId} and parent_user_id is not null and (${ownerId}::text is null or parent_user_id = ${ownerId})
    for no key update`.execute(tx);
  return rows[0] ?? null;
}

export interface ChannelUse {
  plan: PlanKey;
  connectionQuantity: number | null;
  /** The connections of the owner and of all managed users. */
  used: number;
  /** The connections that the new user brings along. */
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
  tx.updateTable('users').set({ parent_user_id: ownerId, updated_at: now }).where('id', '=', userId).execute();

/**
 * The access token of this session was the consent, and the owner may have used it before: what was made since the
 * session began ends with the membership, and so does a key that got more rights since then. A key that was only
 * refreshed since then is older.
 */
export async function markMadeSince(tx: Db, userId: string, tokenHash: string) {
  const begun = sql`(select created_at from auth_sessions where user_id = ${userId} and token = ${tokenHash})`;
  await sql`
    update api_keys set during_membership = true
    where user_id = ${userId} and revoked_at is null and (widened_at >= ${begun} or exists (
      select from oauth_refresh_tokens current
      join oauth_refresh_tokens earlier on earlier.grant_id = current.grant_id
      join api_keys before on before.id = earlier.key_id
      where current.key_id = api_keys.id and before.widened_at >= ${begun}
    ) or created_at >= ${begun} and not exists (
      select from oauth_refresh_tokens current
      join oauth_refresh_tokens earlier on earlier.grant_id = current.grant_id
      where current.key_id = api_keys.id and earlier.created_at < ${begun}
    ))`.execute(tx);
  for (const [table, at] of [
    ['auth_passkeys', 'created_at'],
    ['webhooks', 'updated_at'],
  ] as const) {
    await sql`
      update ${sql.table(table)} set during_membership = true
      where user_id = ${userId} and ${sql.ref(at)} >= ${begun}`.execute(tx);
  }
}

/** What the owner shows of a brand goes with the membership. */
export async function updateToStandalone(tx: Db, userId: string, plan: PlanKey, now: Date) {
  await tx.deleteFrom('brand_avatars').where('user_id', '=', userId).execute();
  await tx
    .updateTable('users')
    .set({
      parent_user_id: null,
      brand_colour: null,
      plan,
      plan_is_default: true,
      connection_quantity: null,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute();
}

export const deleteSessions = (tx: Db, userId: string) =>
  tx.deleteFrom('auth_sessions').where('user_id', '=', userId).execute();

/** Their addresses need no key and accept a file for an hour. Those that have received one stay. */
export async function failOpenUploads(tx: Db, userId: string, { withManaged = false } = {}) {
  const { code, error } = problems.media_upload_missing;
  await tx
    .updateTable('media')
    .set({ status: 'failed', failure_code: code, failure_reason: error, receiving_bytes: 0 })
    .where('user_id', 'in', (users) =>
      users
        .selectFrom('users')
        .select('id')
        .where((where) =>
          where.or([where('id', '=', userId), ...(withManaged ? [where('parent_user_id', '=', userId)] : [])]),
        ),
    )
    .where('status', '=', 'uploading')
    .where('bytes', '=', '0')
    .execute();
}

/** Approvals that no application has exchanged for a key yet. */
export const deletePendingApprovals = (tx: Db, userId: string) =>
  tx.deleteFrom('oauth_codes').where('user_id', '=', userId).where('used_at', 'is', null).execute();

/**
 * Deletes all of them, or only those that were created, or got their URL or secret, in the workspace. Deliverers are
 * notified.
 */
export async function deleteWebhooks(tx: Db, userId: string, onlyOfMembership: boolean) {
  const { rows } = await sql<{ id: string; name: string; url: string }>`
    with deleted as (
      delete from webhooks where user_id = ${userId} and (during_membership or not ${onlyOfMembership}::boolean)
      returning id, name, url
    )
    select id, name, url, pg_notify('webhook_changed', id)::text as notified from deleted`.execute(tx);
  return rows;
}

export const selectOwnWebhooks = (db: Db, userId: string) =>
  db
    .selectFrom('webhooks')
    .select(['name', 'url', 'created_at as createdAt', 'last_triggered_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export interface WorkspaceOwner {
  name: string;
  email: string;
}

/** The owner of the user's workspace. Null if the user is in none. */
export async function selectWorkspaceOwner(db: Db, userId: string): Promise<WorkspaceOwner | null> {
  const owner = await db
    .selectFrom('users')
    .innerJoin('users as owner', 'owner.id', 'users.parent_user_id')
    .select(['owner.name', 'owner.email'])
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return owner ?? null;
}

/** The owner of the user's workspace, or the user itself. Cannot change until the transaction ends. */
export async function lockOwnerOf(tx: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{ ownerId: string }>`
    select coalesce(parent_user_id, id) as "ownerId" from users where id = ${userId} for share`.execute(tx);
  return rows[0]?.ownerId ?? null;
}

/** Null if there is no link or it has expired. */
export async function selectLink(tx: Db, userId: string, now: Date): Promise<LinkRow | null> {
  const link = await tx
    .selectFrom('connection_links')
    .select(['token', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return link ?? null;
}

/** The managed user behind a connection link, and the user's owner. */
export interface LinkedUser {
  userId: string;
  ownerId: string;
  /** Empty if the owner has not set a name. */
  ownerName: string;
  displayName: string;
  expiresAt: Date;
}

export async function findLinkByHash(db: Db, tokenHash: Buffer, now: Date): Promise<LinkedUser | null> {
  const { rows } = await sql<LinkedUser>`
    select users.id as "userId", owner.id as "ownerId", owner.name as "ownerName", users.name as "displayName", link.expires_at as "expiresAt"
    from connection_links link
    join users on users.id = link.user_id
    join users owner on owner.id = users.parent_user_id
    where link.token_hash = ${tokenHash} and link.expires_at > ${now} and users.is_active and owner.is_active
      and users.deletion_at is null and owner.deletion_at is null
      and not exists (
        select from users held
        where held.id in (users.id, owner.id) and held.held_at is not null
          and (held.hold_expires_at is null or held.hold_expires_at > ${now})
      )`.execute(db);
  return rows[0] ?? null;
}

/** Replaces the user's previous link. */
export function upsertLink(tx: Db, userId: string, link: LinkRow & { tokenHash: Buffer }, now: Date) {
  const values = { token_hash: link.tokenHash, token: link.token, expires_at: link.expiresAt, created_at: now };
  return tx
    .insertInto('connection_links')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** Returns false if there was none. */
export async function deleteLink(tx: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('connection_links').where('user_id', '=', userId).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Replaces the user's previous token. */
export function upsertAttachToken(
  tx: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
  tokenHash: Buffer,
  expiresAt: Date,
) {
  const values = { token_hash: tokenHash, session_id: sessionId, expires_at: expiresAt };
  return tx
    .insertInto('attach_tokens')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** The user who created the token. Null if it was used or replaced, or has expired. */
export async function findAttachToken(db: Db, tokenHash: Buffer, now: Date): Promise<string | null> {
  const found = await db
    .selectFrom('attach_tokens')
    .select('user_id as userId')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return found?.userId ?? null;
}

/** Returns false if the token does not exist or has expired. */
export async function deleteAttachToken(tx: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('attach_tokens')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export const deleteAttachTokens = (tx: Db, userId: string) =>
  tx.deleteFrom('attach_tokens').where('user_id', '=', userId).execute();
