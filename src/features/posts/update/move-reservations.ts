import type { Db } from '../../../foundation/db/database.ts';
import type { Reservation } from '../create/plan-limits.ts';
import { changeCounters, type Reserved } from './edit-queries.ts';

/** Counts targets in the month of the reservation, and no longer in the month before. A limit that it exceeds rolls it back. */
export function moveReservations(tx: Db, before: readonly (Reserved | null)[], reservation: Reservation) {
  const { ownerId, period, connections, limit } = reservation;
  const after = connections.map((connection) => ({ ownerId, period: period.key, connection }));
  return changeCounters(tx, before, after, limit ?? undefined);
}
