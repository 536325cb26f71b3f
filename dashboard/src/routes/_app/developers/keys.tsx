import { createFileRoute } from '@tanstack/react-router';
import { KeysPage } from '../../../features/developers/keys/keys-page.tsx';
import { apiKeysQuery } from '../../../features/developers/keys/queries.ts';
import { pageTitle } from '../../../lib/page-title.ts';

export const Route = createFileRoute('/_app/developers/keys')({
  head: pageTitle('API keys'),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(apiKeysQuery);
  },
  component: KeysPage,
});
