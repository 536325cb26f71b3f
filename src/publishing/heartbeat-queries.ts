import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Partition } from './lane-queries.ts';

export const heartbeatMs = 2_000;
/** Three missed heartbeats: the posts of a killed worker continue after six to eight seconds. */
export const silentSeconds = 6;

/**
 * Records that this worker is alive, by the database's clock, and frees the lanes of workers that have been silent for too
 * long. It also frees orphaned lanes of this worker, which the database has assigned to it and which it does not run because
 * a response was lost; but only those found by the heartbeat before, as a lane that was just claimed may not be running yet.
 */
export async function sendHeartbeat(
  db: Db,
  worker: {
    id: string;
    lanes: string[];
    orphanedLanes?: string[];
    dispatchedAt: Date | null;
    /** Workers that are about to stop: they claim nothing more, so the others share all lanes. */
    leaving?: readonly string[];
  },
  silentSeconds: number,
): Promise<{ freed: number; orphanedLanes: string[]; partition: Partition }> {
  const { orphanedLanes = [], leaving = [] } = worker;
  const { rows } = await sql<{ freed: number; orphanedLanes: string[] } & Partition>`
    with alive as (
      insert into workers (id, dispatched_at) values (${worker.id}, ${worker.dispatchedAt})
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
      count(*)::int + 1 as count, (count(*) filter (where id < ${worker.id}))::int as index
    from workers where id <> ${worker.id} and id not in (select id from dead) and id <> all (${leaving}::text[])`.execute(
    db,
  );
  const { freed, orphanedLanes: found, ...partition } = rows[0]!;
  return { freed, orphanedLanes: found, partition };
}

/** The part of the lanes that is left to a worker while others are about to stop. */
export async function selectPartition(db: Db, id: string, leaving: readonly string[]): Promise<Partition> {
  const { rows } = await sql<Partition>`
    select count(*)::int + 1 as count, (count(*) filter (where id < ${id}))::int as index
    from workers where id <> ${id} and id <> all (${leaving}::text[])`.execute(db);
  return rows[0]!;
}

/** Others take over the lanes of a worker that stops before they miss its heartbeat. */
export const announceLeaving = (db: Db, id: string) => sql`select pg_notify('worker_leaving', ${id})`.execute(db);

/** A worker that stops frees its lanes at once, so that others need not wait until its heartbeat is missed. */
export const removeWorker = (db: Db, worker: string) =>
  sql`
    with gone as (delete from workers where id = ${worker})
    update publish_lanes set worker = null where worker = ${worker}`.execute(db);
