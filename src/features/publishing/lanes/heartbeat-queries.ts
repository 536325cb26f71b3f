import { sql } from 'kysely';
import type { Db } from '../../../foundation/db/database.ts';
import type { Partition } from './lane-queries.ts';

export interface LiveWorker {
  id: string;
  /** Platforms whose posts this worker publishes. */
  serves: readonly string[];
}

export const heartbeatMs = 2_000;
/** Three missed heartbeats. The posts of a killed worker continue after six to eight seconds. */
export const silentSeconds = 6;

/**
 * Records that this worker is alive, by the database's clock, and frees the lanes of workers that have been silent
 * for too long. Also frees this worker's orphaned lanes: assigned to it in the database, but not running because a
 * response was lost. A lane is orphaned only if the previous heartbeat found it as well, since a lane that was just
 * claimed may not be running yet.
 */
export async function sendHeartbeat(
  db: Db,
  worker: {
    id: string;
    lanes: string[];
    orphanedLanes?: string[];
    dispatchedAt: Date | null;
    /** Platforms whose posts this worker publishes. */
    serves?: readonly string[];
  },
  silentSeconds: number,
): Promise<{ freed: number; orphanedLanes: string[]; others: LiveWorker[] }> {
  const { orphanedLanes = [], serves = [] } = worker;
  const { rows } = await sql<{ freed: number; orphanedLanes: string[]; others: LiveWorker[] }>`
    with alive as (
      insert into workers (id, dispatched_at, serves) values (${worker.id}, ${worker.dispatchedAt}, ${serves})
      on conflict (id) do update set seen_at = now(), dispatched_at = excluded.dispatched_at
    ),
    -- A worker judges others only if its own heartbeats have arrived: otherwise the database may have been the silent one.
    dead as (
      delete from workers where id <> ${worker.id} and seen_at < now() - make_interval(secs => ${silentSeconds})
        and exists (
          select from workers as self where self.id = ${worker.id} and self.seen_at > now() - make_interval(secs => ${silentSeconds})
        )
      returning id
    ),
    freed as (
      update publish_lanes set worker = null
      where worker = ${worker.id} and connection_id = any (${orphanedLanes}::text[]) and connection_id <> all (${worker.lanes}::text[])
        or worker in (select id from dead)
        or worker is not null and worker <> ${worker.id} and worker not in (select id from workers)
      returning 1
    )
    select (select count(*)::int from freed) as freed,
      array(select connection_id from publish_lanes
        where worker = ${worker.id} and connection_id <> all (${worker.lanes}::text[])) as "orphanedLanes",
      coalesce(json_agg(json_build_object('id', id, 'serves', serves)), '[]') as others
    from workers where id <> ${worker.id} and id not in (select id from dead)`.execute(db);
  return rows[0]!;
}

/** Startup waits for the first look for due posts, so it is reported immediately. The heartbeat reports later ones. */
export const tellFirstLook = (db: Db, id: string, dispatchedAt: Date) =>
  sql`update workers set dispatched_at = ${dispatchedAt} where id = ${id}`.execute(db);

/** A worker's share of the lanes of a platform. All workers sort themselves in the same order. */
export function partitionAmong(others: readonly LiveWorker[], worker: string, platform: string): Partition {
  const serving = others.filter(({ serves }) => serves.includes(platform));
  return { index: serving.filter(({ id }) => id < worker).length, count: serving.length + 1 };
}

/** The other workers, as the next heartbeat would return them. */
export async function selectOthers(db: Db, worker: string): Promise<LiveWorker[]> {
  const { rows } = await sql<LiveWorker>`select id, serves from workers where id <> ${worker}`.execute(db);
  return rows;
}

/**
 * A new worker also moves lanes between the existing ones, so all of them must repartition at the same time.
 * Otherwise a worker leaves lanes to one that does not know about them for up to a heartbeat.
 */
export const announceJoining = (db: Db, id: string) => sql`select pg_notify('worker_joined', ${id})`.execute(db);

/** Lets other workers take over the lanes of a stopping worker before they miss its heartbeat. */
export const announceLeaving = (db: Db, id: string) => sql`select pg_notify('worker_leaving', ${id})`.execute(db);

/** A stopping worker frees its lanes immediately, so others need not wait for a missed heartbeat. */
export const removeWorker = (db: Db, worker: string) =>
  sql`
    with gone as (delete from workers where id = ${worker})
    update publish_lanes set worker = null where worker = ${worker}`.execute(db);
