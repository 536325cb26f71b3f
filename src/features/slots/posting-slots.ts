import type { App } from '../../app.ts';
import { Problem } from '../../foundation/errors/index.ts';
import { listInTurn } from '../../foundation/http/answers/long-reads.ts';
import { type Who, whoIs } from '../auth/access/api-key.ts';
import { brandsOf, recheckBrands } from '../users/brands.ts';
import { findSlots, type PostingSlots, type SlotsOfBrand, selectSlots, storeSlots } from './queries.ts';
import type { SetPostingSlots } from './schema.ts';
import { type Slot, timeZoneNamed } from './slot-times.ts';

const noSlots: PostingSlots = { timeZone: 'UTC', slots: [] };

export async function getPostingSlots({ db }: Pick<App, 'db'>, { userId }: Who) {
  return { success: true as const, ...((await findSlots(db, userId)) ?? noSlots) };
}

/** Each can have hundreds of slots. */
const brandsAtATime = 10;

/** The slots of the owner of a workspace, with those of the managed users. */
export async function getSlotsOfBrands(app: Pick<App, 'db' | 'clock'>, who: Who) {
  const recheck = recheckBrands(app, who);
  const managed = (await brandsOf(app.db, who, app.clock.now())).filter((userId) => userId !== who.userId);
  const brands: SlotsOfBrand[] = [];
  for (let start = 0; start < managed.length; start += brandsAtATime) {
    const some = managed.slice(start, start + brandsAtATime);
    const read = async () => {
      await recheck(...some);
      return selectSlots(app.db, some);
    };
    brands.push(...(await listInTurn(who.ownerId, read, countSlots)));
  }
  return { ...(await getPostingSlots(app, who)), brands };
}

const countSlots = (brands: readonly SlotsOfBrand[]) => brands.reduce((sum, { slots }) => sum + slots.length, 0);

/** Replaces all slots. Scheduled posts keep their times. */
export async function setPostingSlots({ db, clock }: Pick<App, 'db' | 'clock'>, who: Who, input: SetPostingSlots) {
  const timeZone = timeZoneNamed(input.timeZone);
  if (timeZone === null) throw new Problem('time_zone_invalid');
  await requireOwnChannels(db, who, input.slots);
  const wanted = { timeZone, slots: inOrder(input.slots) };
  await storeSlots(db, who.userId, wanted, clock.now());
  return { success: true as const, ...wanted };
}

/** A disconnected channel may keep its slots, because it may be reconnected. */
async function requireOwnChannels(db: App['db'], { userId }: Who, slots: readonly Slot[]) {
  const named = [...new Set(slots.flatMap(({ platformId }) => platformId ?? []))];
  if (named.length === 0) return;
  const [{ connections }, stored] = [await whoIs(db, userId), (await findSlots(db, userId)) ?? noSlots];
  const known = new Set([
    ...connections.map(({ platform, accountId }) => `${platform}-${accountId}`),
    ...stored.slots.map(({ platformId }) => platformId),
  ]);
  const unknown = named.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new Problem('slot_channel_unknown', { invalidPlatforms: unknown });
}

/** Removes duplicates and sorts by weekday and time. */
function inOrder(slots: readonly Slot[]): Slot[] {
  const keyOf = ({ weekday, time, platformId }: Slot) => `${weekday} ${time} ${platformId ?? ''}`;
  return [...new Map(slots.map((slot) => [keyOf(slot), slot])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, slot]) => slot);
}
