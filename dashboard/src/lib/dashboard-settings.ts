import { queryOptions } from '@tanstack/react-query';
import { crier } from './api.ts';
import { keys } from './query-keys.ts';

/** Settings that pages need before sign-in. */
export const dashboardSettingsQuery = queryOptions({
  queryKey: keys.dashboardSettings,
  queryFn: ({ signal }) => crier.getDashboardSettings({}, { signal }),
  staleTime: 5 * 60_000,
});
