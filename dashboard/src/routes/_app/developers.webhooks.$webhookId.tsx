import { createFileRoute } from '@tanstack/react-router';
import { WebhookPage } from '../../features/developers/webhook-page.tsx';
import { deliveriesQuery, webhooksQuery } from '../../features/developers/webhook-queries.ts';
import { pageTitle } from '../../lib/page-title.ts';

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
