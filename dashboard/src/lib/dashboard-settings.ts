import { queryOptions } from '@tanstack/react-query';
import { crier } from './api.ts';
import { keys } from './query-keys.ts';

/** What a page must know before anybody has signed in. It changes only with the service. */
export const dashboardSettingsQuery = queryOptions({
  queryKey: keys.dashboardSettings,
  queryFn: ({ signal }) => crier.getDashboardSettings({}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
