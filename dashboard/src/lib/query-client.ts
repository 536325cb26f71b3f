import { QueryClient } from '@tanstack/react-query';

/** The API client already retries where useful, and the event stream signals changes. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 30_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});
