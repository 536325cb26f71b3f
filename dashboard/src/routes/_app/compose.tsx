import { createFileRoute } from '@tanstack/react-router';
import { ComposePage } from '../../features/composer/compose-page.tsx';
import { readComposeSearch } from '../../features/composer/compose-search.ts';
import { channelsQuery, limitsQuery } from '../../lib/queries.ts';

/** One composer for both addresses, so that it keeps its state when a draft becomes a post. */
export const Route = createFileRoute('/_app/compose')({
  validateSearch: readComposeSearch,
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(channelsQuery);
    void queryClient.prefetchQuery(limitsQuery);
  },
  component: ComposePage,
});
