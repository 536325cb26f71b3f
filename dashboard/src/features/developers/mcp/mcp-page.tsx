import { Anchor, Button, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyValue } from '../../../components/copy-value.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { apiKeysQuery } from '../keys/queries.ts';
import { KeyTable } from '../keys/table.tsx';
import { LoadingRows } from '../loading-rows.tsx';
import { type McpClient, mcpClients } from './clients.ts';

const origin = window.location.origin;
const clients = mcpClients(origin);

/** How to connect agents, and which are connected. */
export function McpPage({ client, onClient }: { client: string | undefined; onClient: (id: string) => void }) {
  const shown = clients.find(({ id }) => id === client) ?? clients[0]!;
  return (
    <>
      <PageHeader
        title="MCP"
        about={
          <>
            Let agents plan, write and publish posts for you, with the permissions you grant.{' '}
            <Anchor href="/docs">Read the reference</Anchor>.
          </>
        }
      />
      <Stack gap="xl" maw={860}>
        <section aria-labelledby="address">
          <Title order={2} size="h4" id="address" mb="sm">
            Address
          </Title>
          <CopyValue value={`${origin}/mcp`} name="MCP server address" label="Copy address" />
        </section>
        <section aria-labelledby="set-up">
          <Title order={2} size="h4" id="set-up" mb="sm">
            Set up
          </Title>
          <Tabs value={shown.id} onChange={(id) => id && onClient(id)}>
            <Tabs.List aria-label="Clients" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
              {clients.map(({ id, name }) => (
                <Tabs.Tab key={id} value={id}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {clients.map((each) => (
              <Tabs.Panel key={each.id} value={each.id} pt="md">
                <SetUp client={each} />
              </Tabs.Panel>
            ))}
          </Tabs>
        </section>
        <Connected />
      </Stack>
    </>
  );
}

function SetUp({ client: { name, steps, snippet, link } }: { client: McpClient }) {
  return (
    <Stack gap="sm" align="stretch">
      <Text size="sm">{steps}</Text>
      {link && (
        <Button component="a" href={link.href} variant="light" w="fit-content">
          {link.label}
        </Button>
      )}
      <CopyValue value={snippet} name={`Setup for ${name}`} />
    </Stack>
  );
}

function Connected() {
  const { data: apiKeys, error, refetch } = useQuery(apiKeysQuery);
  const connected = apiKeys?.filter(({ application }) => application !== null);
  return (
    <section aria-labelledby="connected">
      <Title order={2} size="h4" id="connected" mb="sm">
        Connected apps
      </Title>
      {!connected && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!connected && !error && <LoadingRows label="Loading connected apps" rows={2} />}
      {connected?.length === 0 && <Text c="dimmed">No apps connected yet. Apps you approve appear here.</Text>}
      {connected && connected.length > 0 && <KeyTable apiKeys={connected} label="Connected apps" />}
    </section>
  );
}
