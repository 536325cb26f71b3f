import { createFileRoute } from '@tanstack/react-router';
import { deliveriesQuery, webhooksQuery } from '../../../features/developers/webhooks/queries.ts';
import { WebhookPage } from '../../../features/developers/webhooks/webhook-page.tsx';
import { pageTitle } from '../../../lib/page-title.ts';

export const Route = createFileRoute('/_app/developers/webhooks/$webhookId')({
  head: pageTitle('Webhooks'),
  loader: ({ context: { queryClient }, params: { webhookId } }) => {
    void queryClient.prefetchQuery(webhooksQuery);
    void queryClient.prefetchQuery(deliveriesQuery(webhookId));
  },
  component: Page,
});

function Page() {
  return <WebhookPage webhookId={Route.useParams().webhookId} />;
}
