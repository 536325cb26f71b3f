import type { App } from '../../app.ts';
import type { Db } from '../../foundation/db/database.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { createFairTurns } from '../../foundation/lib/fair-turns.ts';
import { latestInstant, parseInstant } from '../../foundation/time/times.ts';
import type { Who } from '../auth/access/api-key.ts';
import { findSlots, lockSlots, takenTimes, type Wanted } from './queries.ts';
import { localTime, slotTimes } from './slot-times.ts';

/** How far ahead to search. */
const horizonMs = 366 * 86_400_000;
const batchSize = 100;
/** With a slot for every post of a long queue, a search takes a hundred queries. */
const searches = createFairTurns({ places: 4, perOwner: 1 });

export interface SlotRequest extends Wanted {
  ownerId: string;
  after: Date;
}

/** Returns when a post to these channels could be published. Does not reserve the slot. */
export async function getNextSlot(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId, ownerId }: Who,
  { platforms, after }: { platforms?: string | undefined; after?: string | undefined },
) {
  const asked = after ? parseInstant(after) : null;
  if (after && !asked) throw new Problem('slot_after_invalid');
  const now = clock.now();
  const platformIds = platforms ? platforms.split(',').filter((id) => id !== '' && !id.includes('\0')) : [];
  const start = asked && asked > now ? asked : now;
  const { at, timeZone } = await searchInTurn(db, { userId, ownerId, platformIds, after: start, exceptGroupId: null });
  return {
    success: true as const,
    publishAt: at.toISOString(),
    localTime: localTime(timeZone, at),
    timeZone,
  };
}

/** The next slot in which none of the channels has a scheduled post. Another post may take it at any time. */
export const findNextSlot = async (db: Db, request: SlotRequest): Promise<Date> => (await searchInTurn(db, request)).at;

/**
 * Like `findNextSlot`, for a post that is stored in this transaction: until it ends, no other post can take a slot of
 * the user.
 */
export async function takeNextSlot(tx: Db, request: SlotRequest): Promise<Date> {
  await lockSlots(tx, request.userId);
  return (await search(tx, request)).at;
}

async function searchInTurn(db: Db, request: SlotRequest) {
  using _turn = await searches.acquire(request.ownerId);
  return await search(db, request);
}

async function search(db: Db, request: SlotRequest): Promise<{ at: Date; timeZone: string }> {
  const { userId, platformIds, after } = request;
  const { timeZone, slots } = (await findSlots(db, userId)) ?? { timeZone: 'UTC', slots: [] };
  const usable = slots.filter(
    ({ platformId }) => platformId === null || platformIds.length === 0 || platformIds.includes(platformId),
  );
  if (usable.length === 0) throw new Problem('posting_slots_missing');
  const end = Math.min(after.getTime() + horizonMs, latestInstant.getTime());
  const times = slotTimes(timeZone, usable, after);
  for (;;) {
    const batch = nextOf(times).filter((time) => time.getTime() <= end);
    const taken = await takenTimes(db, request, batch);
    const at = batch.find((time) => !taken.has(time.getTime()));
    if (at) return { at, timeZone };
    if (batch.length < batchSize) throw new Problem('posting_slots_full');
  }
}

/** Not `take()`, which would end the generator. */
function nextOf(times: Iterator<Date, void>): Date[] {
  const batch: Date[] = [];
  while (batch.length < batchSize) {
    const { value } = times.next();
    if (!value) break;
    batch.push(value);
  }
  return batch;
}
