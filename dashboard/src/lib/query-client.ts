import { QueryClient } from '@tanstack/react-query';

/** The client sends requests again by itself where that helps, and the event stream says when something changes. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 30_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});
