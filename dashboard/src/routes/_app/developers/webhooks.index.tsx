import { createFileRoute } from '@tanstack/react-router';
import { webhooksQuery } from '../../../features/developers/webhooks/queries.ts';
import { WebhooksPage } from '../../../features/developers/webhooks/webhooks-page.tsx';
import { pageTitle } from '../../../lib/page-title.ts';

export const Route = createFileRoute('/_app/developers/webhooks/')({
  head: pageTitle('Webhooks'),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(webhooksQuery);
  },
  component: WebhooksPage,
});
