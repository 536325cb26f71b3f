import { useCallback, useEffect, useMemo, useState } from 'react';
import { usePhrases } from '../../../lib/time/phrases.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { orderIn } from '../../../lib/time/read-date.ts';
import { readWhen, type When } from './when.ts';

/** Reads the date and time fields, and the time in a phrase such as "fri 14:30". */
export function useWhen(
  { date, time }: { date: string; time: string },
  timeZone: string,
): { when: When; timeIn: (phrase: string) => string | null } {
  const { locale } = useTimePreferences();
  const dates = useMemo(() => [date], [date]);
  const [now, phrases, order] = [useMinute(), usePhrases(dates, locale), orderIn(locale)];
  const clock = useMemo(() => ({ now, timeZone, order, phrases }), [now, timeZone, order, phrases]);
  const when = useMemo(() => readWhen(date, time, clock), [date, time, clock]);
  const timeIn = useCallback(
    (phrase: string) => {
      const alone = readWhen(phrase, '', clock);
      return phrase.trim() !== '' && alone.kind === 'at' ? alone.time : null;
    },
    [clock],
  );
  return { when, timeIn };
}

/** The current time, updated every 30 seconds: a future time may have passed. */
function useMinute(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
