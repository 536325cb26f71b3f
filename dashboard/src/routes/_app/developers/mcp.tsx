import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { apiKeysQuery } from '../../../features/developers/keys/queries.ts';
import { McpPage } from '../../../features/developers/mcp/mcp-page.tsx';
import { pageTitle } from '../../../lib/page-title.ts';

export const Route = createFileRoute('/_app/developers/mcp')({
  validateSearch: ({ client }): { client?: string } => (typeof client === 'string' ? { client } : {}),
  head: pageTitle('MCP'),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(apiKeysQuery);
  },
  component: Page,
});

function Page() {
  const { client } = Route.useSearch();
  const navigate = useNavigate();
  const onClient = (id: string) => void navigate({ to: '/developers/mcp', search: { client: id }, replace: true });
  return <McpPage client={client} onClient={onClient} />;
}
