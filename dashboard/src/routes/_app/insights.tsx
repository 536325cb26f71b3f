import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { OfOneBrand } from '../../components/brands/choose-brand.tsx';
import { InsightsPage } from '../../features/insights/insights-page.tsx';
import { pageTitle } from '../../lib/page-title.ts';
import { channelsQuery } from '../../lib/queries.ts';

export const Route = createFileRoute('/_app/insights')({
  validateSearch: ({ channel }): { channel?: string } => (typeof channel === 'string' ? { channel } : {}),
  head: pageTitle('Insights'),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(channelsQuery);
  },
  component: Page,
});

function Page() {
  const { channel } = Route.useSearch();
  const navigate = useNavigate();
  const onChannel = (next: string) => void navigate({ to: '/insights', search: { channel: next } });
  return (
    <OfOneBrand page="Insights" title="Whose statistics do you want to see?">
      <InsightsPage channel={channel} onChannel={onChannel} />
    </OfOneBrand>
  );
}
