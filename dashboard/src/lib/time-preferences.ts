import { Crier, CrierError } from '@crier/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys } from './query-keys.ts';
import type { TimePreferences } from './time.ts';

interface Profile {
  timeZone: string | null;
  weekStart: 'monday' | 'sunday' | 'saturday';
  hourCycle: '12' | '24' | null;
  language: string | null;
}

class ProfileApi extends Crier {
  getTimes = (signal: AbortSignal) =>
    this.call<Profile>({ method: 'GET', path: '/auth/profile' }, {}, { signal }).catch((error: unknown) => {
      if (error instanceof CrierError && error.status === 404) return null;
      throw error;
    });
}
const api = new ProfileApi({ baseUrl: window.location.origin });

export const timePreferencesQuery = queryOptions({
  queryKey: [...keys.profile, 'times'],
  queryFn: ({ signal }) => api.getTimes(signal),
  staleTime: 5 * 60_000,
});

/** How this person wants to see dates and times: as the profile says, otherwise as the browser does. */
export function useTimePreferences(): TimePreferences {
  const { data: profile } = useQuery(timePreferencesQuery);
  return useMemo(() => preferencesOf(profile ?? null), [profile]);
}

const weekStarts = { sunday: 0, monday: 1, saturday: 6 } as const;

export function preferencesOf(profile: Profile | null): TimePreferences {
  const browser = new Intl.DateTimeFormat().resolvedOptions();
  return {
    zone: profile?.timeZone ?? browser.timeZone,
    locale: profile?.language ?? browser.locale,
    hour12: profile?.hourCycle ? profile.hourCycle === '12' : undefined,
    weekStart: profile ? weekStarts[profile.weekStart] : 1,
  };
}
