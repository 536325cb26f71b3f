import type { Profile } from '@crier/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { crier } from '../api.ts';
import { keys } from '../query-keys.ts';
import type { TimePreferences } from './time.ts';

export const timePreferencesQuery = queryOptions({
  queryKey: keys.profile,
  queryFn: ({ signal }) => crier.getProfile({}, { signal }),
  staleTime: 5 * 60_000,
});

/** Date and time preferences from the profile, or else from the browser. */
export function useTimePreferences(): TimePreferences {
  const { data: profile } = useQuery(timePreferencesQuery);
  return useMemo(() => preferencesOf(profile ?? null), [profile]);
}

type Times = Pick<Profile, 'timeZone' | 'weekStart' | 'hourCycle' | 'language'>;

const weekStarts = { sunday: 0, monday: 1, saturday: 6 } as const;

export function preferencesOf(profile: Times | null): TimePreferences {
  const browser = new Intl.DateTimeFormat().resolvedOptions();
  return {
    zone: profile?.timeZone ?? browser.timeZone,
    locale: profile?.language ?? browser.locale,
    hour12: profile?.hourCycle ? profile.hourCycle === '12' : undefined,
    weekStart: profile ? weekStarts[profile.weekStart] : 1,
  };
}
