import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Json } from '../lib/json.ts';
import { partStep, type RemotePost } from '../platforms/kit/index.ts';
import type { StepRecord } from '../platforms/kit/steps.ts';

/** Notes that an effect is about to happen, unless it was noted before. Null: the claim was lost, so it must not. */
export async function beginStep(
  db: Db,
  held: { id: string; token: string },
  name: string,
  now: Date,
): Promise<StepRecord | 'new' | null> {
  const { rows } = await sql<{ fresh: boolean; startedAt: Date; ended: boolean; result: Json }>`
    with holder as (select id from platform_posts where id = ${held.id} and claim_token = ${held.token} for share),
    begun as (
      insert into publish_steps (platform_post_id, name, started_at)
      select id, ${name}, ${now}::timestamptz from holder
      on conflict do nothing
      returning started_at
    )
    select true as fresh, started_at as "startedAt", false as ended, null::jsonb as result from begun
    union all
    select false, started_at, ended_at is not null, result
    from publish_steps join holder on holder.id = platform_post_id
    where name = ${name} and not exists (select from begun)`.execute(db);
  const [row] = rows;
  if (!row) return null;
  if (row.fresh) return 'new';
  const { startedAt, ended, result } = row;
  return ended ? { startedAt, ended, result } : { startedAt, ended: false };
}

/** A result is a fact, so it is kept whoever learnt it; the answer says whether the claim still holds. */
export async function finishStep(db: Db, held: { id: string; token: string }, name: string, result: Json, now: Date) {
  const { rows } = await sql<{ held: boolean }>`
    with ended as (
      update publish_steps set ended_at = ${now}, result = ${JSON.stringify(result)}::jsonb
      where platform_post_id = ${held.id} and name = ${name} and ended_at is null
    )
    select exists (select from platform_posts where id = ${held.id} and claim_token = ${held.token}) as held`.execute(
    db,
  );
  return rows[0]!.held;
}

export async function forgetStep(db: Db, held: { id: string; token: string }, name: string) {
  const { numAffectedRows } = await sql`
    delete from publish_steps where platform_post_id = ${held.id} and name = ${name} and ended_at is null
      and exists (select from platform_posts where id = ${held.id} and claim_token = ${held.token})`.execute(db);
  return numAffectedRows === 1n;
}

/** Whether an effect began of which nobody knows if it happened; `prefix` of its name tells comments from the post. */
export async function hasOpenStep(db: Db, platformPostId: string, prefix = ''): Promise<boolean> {
  const { rows } = await sql`
    select 1 from publish_steps where platform_post_id = ${platformPostId} and ended_at is null
      and starts_with(name, ${prefix}) limit 1`.execute(db);
  return rows.length > 0;
}

/** The parts of a thread that are out, in order. */
export async function publishedParts(db: Db, platformPostId: string): Promise<RemotePost[]> {
  const { rows } = await sql<{ name: string; result: RemotePost }>`
    select name, result from publish_steps where platform_post_id = ${platformPostId} and ended_at is not null
      and name like 'part %'`.execute(db);
  const byName = new Map(rows.map(({ name, result }) => [name, result]));
  const parts: RemotePost[] = [];
  for (let part = byName.get(partStep(0)); part; part = byName.get(partStep(parts.length))) parts.push(part);
  return parts;
}
