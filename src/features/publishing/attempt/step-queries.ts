import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../../foundation/db/database.ts';
import { type LockTimeout, longLockTimeout } from '../../../foundation/db/lock-timeout.ts';
import type { Json } from '../../../foundation/lib/json.ts';
import { storableJson } from '../../../foundation/lib/storable.ts';
import { partStep, type RemotePost } from '../../../platforms/kit/index.ts';

/** A step of a post claimed with a token. */
export interface NamedStep {
  id: string;
  token: string;
  name: string;
  now: Date;
}

const column = <S extends NamedStep, K extends keyof S>(steps: readonly S[], name: K) =>
  steps.map((step) => step[name]);

export type StoredStep =
  | { startedAt: Date; ended: false; ageMs: number }
  | { startedAt: Date; ended: true; result: Json };

export interface NewStep extends NamedStep {
  /** Whether the effect makes something visible on the platform. */
  makesVisible: boolean;
  /** Fingerprint of the content that a search on the platform looks for. Null if unknown. */
  fingerprint: string | null;
}

/** Records that effects are about to happen, or returns the steps stored earlier. Null if the claim was lost. */
export async function beginSteps(
  db: Db,
  steps: readonly NewStep[],
  lockTimeout: LockTimeout = longLockTimeout,
): Promise<(StoredStep | 'new' | null)[]> {
  type Row = { place: number; fresh: boolean; startedAt: Date; ageMs: number; ended: boolean; result: Json };
  const { rows } = await sql<Row>`
    with claimed as materialized (
      select wanted.* from unnest(${column(steps, 'id')}::text[], ${column(steps, 'token')}::text[],
        ${column(steps, 'name')}::text[], ${column(steps, 'now')}::timestamptz[],
        ${column(steps, 'makesVisible')}::boolean[], ${column(steps, 'fingerprint')}::text[])
        with ordinality as wanted (id, token, name, at, makes_visible, fingerprint, place)
      cross join ${lockTimeout}
      join platform_posts on platform_posts.id = wanted.id and claim_token = token
      order by wanted.id for share of platform_posts
    ),
    begun as (
      insert into publish_steps (platform_post_id, name, started_at, makes_visible, fingerprint)
      select id, name, at, makes_visible, fingerprint from claimed
      on conflict do nothing
      returning platform_post_id, name
    )
    select place::int, (claimed.id, claimed.name) in (select platform_post_id, name from begun) as fresh,
      started_at as "startedAt", ended_at is not null as ended, result,
      (1000 * extract(epoch from clock_timestamp() - last_sent_at))::float8 as "ageMs"
    from claimed
    left join publish_steps before on before.platform_post_id = claimed.id and before.name = claimed.name`.execute(db);
  const answers: (StoredStep | 'new' | null)[] = steps.map(() => null);
  for (const { place, fresh, startedAt, ageMs, ended, result } of rows) {
    answers[place - 1] = fresh ? 'new' : ended ? { startedAt, ended, result } : { startedAt, ended, ageMs };
  }
  return answers;
}

export interface EndedStep extends NamedStep {
  result: Json;
  /**
   * For a step that the run with the current claim may have repeated. In that case, that run's result is the one in
   * use.
   */
  onlyIfClaimed: boolean;
}

/**
 * An effect on the platform is a fact, so its result is stored even after the claim was lost. Returns whether the
 * claim is still valid.
 */
export async function finishSteps(
  db: Db,
  steps: readonly EndedStep[],
  lockTimeout: LockTimeout = longLockTimeout,
): Promise<boolean[]> {
  const { rows } = await sql<{ place: number }>`
    with done as materialized (
      select done.*, claim_token = token as claimed from unnest(${column(steps, 'id')}::text[], ${column(steps, 'token')}::text[],
        ${column(steps, 'name')}::text[], ${column(steps, 'now')}::timestamptz[],
        ${steps.map(({ result }) => storableJson(result))}::jsonb[],
        ${steps.map(({ onlyIfClaimed }) => onlyIfClaimed)}::boolean[])
        with ordinality as done (id, token, name, at, result, only_if_claimed, place)
      cross join ${lockTimeout}
      join platform_posts on platform_posts.id = done.id
      order by done.id for share of platform_posts
    ),
    ended as (
      update publish_steps set ended_at = done.at, result = done.result
      from done where platform_post_id = done.id and publish_steps.name = done.name and ended_at is null
        and (claimed or not only_if_claimed)
    )
    select place::int from done where claimed`.execute(db);
  const claimed = new Set(rows.map(({ place }) => place - 1));
  return steps.map((_, index) => claimed.has(index));
}

type Claim = Pick<NamedStep, 'id' | 'token'>;

/**
 * The step, if it is open and the claim is valid. The lock prevents others from claiming the post until the statement
 * ends.
 */
const openStep = ({ id, token }: Claim, name: string) => sql`
  platform_post_id = ${id} and name = ${name} and ended_at is null
    and exists (select from platform_posts where id = ${id} and claim_token = ${token} for share)`;

export async function discardStep(db: Db, claim: Claim, name: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from publish_steps where ${openStep(claim, name)}`.execute(db);
  return numAffectedRows === 1n;
}

/** The request is no longer in flight, regardless of its outcome. */
export async function markStepArrived(db: Db, claim: Claim, name: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update publish_steps set last_sent_at = 'epoch' where ${openStep(claim, name)}`.execute(db);
  return numAffectedRows === 1n;
}

/**
 * The request is sent again. If this run dies as well, the next one must wait until this request can no longer
 * arrive.
 */
export async function markStepResent(db: Db, claim: Claim, name: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update publish_steps set last_sent_at = clock_timestamp() where ${openStep(claim, name)}`.execute(db);
  return numAffectedRows === 1n;
}

/** Whether a step has begun and its outcome is unknown. Steps of comments have their own `prefix`. */
export async function hasOpenStep(db: Db, platformPostId: string, prefix = ''): Promise<boolean> {
  return (await stepsOf(db, platformPostId, prefix)).some(({ ended }) => !ended);
}

/** Whether any step with this prefix has begun. */
export async function hasStep(db: Db, platformPostId: string, prefix = ''): Promise<boolean> {
  return (await stepsOf(db, platformPostId, prefix)).length > 0;
}

export async function stepsOf(db: Db, platformPostId: string, prefix = '') {
  const { rows } = await sql<{ name: string; ended: boolean; makesVisible: boolean }>`
    select name, ended_at is not null as ended, makes_visible as "makesVisible" from publish_steps
    where platform_post_id = ${platformPostId} and starts_with(name, ${prefix})`.execute(db);
  return rows;
}

/** The steps that make something visible on the platform, in the order in which they began. */
export async function visibleSteps(
  db: Db,
  platformPostId: string,
): Promise<{ name: string; ended: boolean; result: Json }[]> {
  const { rows } = await sql<{ name: string; ended: boolean; result: Json }>`
    select name, ended_at is not null as ended, result from publish_steps
    where platform_post_id = ${platformPostId} and makes_visible order by started_at, name`.execute(db);
  return rows;
}

/** The post in the result of a step. Null if the platform reports its id elsewhere. */
export function remoteIn(result: Json): (RemotePost & { isPartial: boolean }) | null {
  const remote = Remote.safeParse(result);
  return remote.success ? remote.data : null;
}

const Remote = z.object({
  id: z.string(),
  url: z.string().nullable().default(null),
  isPartial: z.boolean().default(false),
});

/** The published parts of a thread, in order. */
export async function publishedParts(db: Db, platformPostId: string): Promise<RemotePost[]> {
  const { rows } = await sql<{ name: string; result: RemotePost }>`
    select name, result from publish_steps where platform_post_id = ${platformPostId} and ended_at is not null
      and name like 'part %'`.execute(db);
  const byName = new Map(rows.map(({ name, result }) => [name, result]));
  const parts: RemotePost[] = [];
  for (let part = byName.get(partStep(0)); part; part = byName.get(partStep(parts.length))) parts.push(part);
  return parts;
}
