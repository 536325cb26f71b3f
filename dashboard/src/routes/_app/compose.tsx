import { createFileRoute } from '@tanstack/react-router';
import { ComposePage, type ComposeSearch } from '../../features/composer/compose-page.tsx';
import { pageTitle } from '../../lib/page-title.ts';
import { channelsQuery, limitsQuery } from '../../lib/queries.ts';

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);

/** One composer for both addresses, so that it stays as it is when its draft becomes a post. */
export const Route = createFileRoute('/_app/compose')({
  validateSearch: ({ draft, date, time }): ComposeSearch => ({
    ...(text(draft) && { draft: text(draft)! }),
    ...(text(date) && { date: text(date)! }),
    ...(text(time) && { time: text(time)! }),
  }),
  head: pageTitle('Composer'),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(channelsQuery);
    void queryClient.prefetchQuery(limitsQuery);
  },
  component: ComposePage,
});
