import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import type { WebhookEventName } from '../../../foundation/events/catalogue.ts';
import type { EmittedEvent } from '../../../foundation/events/define-event.ts';

/** Which date ends the credentials of a platform, and whether Crier renews them before that. */
export interface ExpiryRule {
  platform: string;
  endsWith: 'access_token' | 'refresh_token';
  isRenewed: boolean;
}

export interface ExpiringConnection {
  id: string;
  platform: string;
  accountId: string;
  handle: string;
  /** Sealed. */
  credentials: string;
  endsAt: Date;
}

/** Connections that expire within the given time and whose expiry was not announced yet. */
export async function selectUnannounced(
  db: Db,
  rules: readonly ExpiryRule[],
  refused: readonly string[],
  { after, until, limit }: { after: Date; until: Date; limit: number },
): Promise<ExpiringConnection[]> {
  const { rows } = await sql<ExpiringConnection>`
    select id, platform, account_id as "accountId", handle, credentials, ends_at as "endsAt"
    from connections
    join unnest(${rules.map(({ platform }) => platform)}::text[], ${rules.map(({ endsWith }) => endsWith)}::text[],
      ${rules.map(({ isRenewed }) => isRenewed)}::boolean[]) as rule (platform, ends_with, is_renewed) using (platform)
    cross join lateral (
      select case when ends_with = 'refresh_token' then refresh_expires_at else expires_at end as ends_at
    ) expiry
    where ends_at > ${after} and ends_at <= ${until} and expiry_announced_for is distinct from ends_at
      and (not is_renewed or id = any (${refused}::text[])) and reconnect_required_at is null
    order by ends_at limit ${limit}`.execute(db);
  return rows;
}

export async function countExpiring(
  db: Db,
  rules: readonly ExpiryRule[],
  { after, until }: { after: Date; until: Date },
): Promise<{ platform: string; count: number }[]> {
  const { rows } = await sql<{ platform: string; count: number }>`
    select platform, count(*)::int as count from connections
    join unnest(${rules.map(({ platform }) => platform)}::text[], ${rules.map(({ endsWith }) => endsWith)}::text[])
      as rule (platform, ends_with) using (platform)
    cross join lateral (
      select case when ends_with = 'refresh_token' then refresh_expires_at else expires_at end as ends_at
    ) expiry
    where ends_at > ${after} and ends_at <= ${until} and reconnect_required_at is null
    group by platform order by platform`.execute(db);
  return rows;
}

/** Emits the event in one process only, and not at all if the credentials were replaced since they were read. */
export const recordAnnounced = (
  db: Db,
  { id, credentials, endsAt }: ExpiringConnection,
  event: EmittedEvent<WebhookEventName> & { id: string; now: Date },
) =>
  sql`
    with announced as (
      update connections set expiry_announced_for = ${endsAt}
      where id = ${id} and credentials = ${credentials} and expiry_announced_for is distinct from ${endsAt}::timestamptz
      returning user_id
    )
    insert into events (id, user_id, type, body, created_at)
    select ${event.id}, user_id, ${event.type}, ${event.body}, ${event.now}::timestamptz from announced`.execute(db);
