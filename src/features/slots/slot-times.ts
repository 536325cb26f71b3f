/** A time of the week in the user's time zone. */
export interface Slot {
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** `09:30` */
  time: string;
  /** Null for every channel. */
  platformId: string | null;
}

/**
 * Yields the times of these slots after the given time, in order, without duplicates and without end. If clocks skip
 * a time, the slot is at the first moment after the gap. If clocks show a time twice, only the first one counts.
 */
export function* slotTimes(timeZone: string, slots: readonly Slot[], after: Date): Generator<Date, void, undefined> {
  if (slots.length === 0) return;
  let last = after.getTime();
  const first = Temporal.Instant.fromEpochMilliseconds(last).toZonedDateTimeISO(timeZone).toPlainDate();
  for (let date = first; ; date = date.add({ days: 1 })) {
    const { dayOfWeek } = date;
    const moments = slots
      .filter(({ weekday }) => weekday === dayOfWeek)
      .map(({ time }) => momentOf(timeZone, date.toPlainDateTime(time)))
      .sort((a, b) => a - b);
    for (const moment of moments) {
      if (moment <= last) continue;
      last = moment;
      yield new Date(moment);
    }
  }
}

function momentOf(timeZone: string, shown: Temporal.PlainDateTime): number {
  const moment = shown.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (moment.toPlainDateTime().equals(shown)) return moment.epochMilliseconds;
  // Clocks skip this time, and "earlier" is before the gap.
  return (moment.getTimeZoneTransition('next') ?? moment).epochMilliseconds;
}

/** The local time in the zone, with the offset: `2027-03-04T09:30:00+01:00`. */
export const localTime = (timeZone: string, time: Date) =>
  Temporal.Instant.fromEpochMilliseconds(time.getTime())
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' });

/** The canonical spelling of the zone's name. Null if there is no such zone. */
export function timeZoneNamed(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
