import type { Webhook } from '@crier/client';
import { Button, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { AnchorLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { StackTable } from '../../../components/stack-table.tsx';
import { Ago } from '../../../components/when.tsx';
import { LoadingRows } from '../loading-rows.tsx';
import { CreateWebhookDialog } from './create-dialog.tsx';
import { LocalTesting } from './local-testing.tsx';
import { webhooksQuery } from './queries.ts';
import { WebhookState } from './state.tsx';

export function WebhooksPage() {
  const [isCreating, creating] = useDisclosure();
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery);
  const create = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={creating.open}>
      Create webhook
    </Button>
  );
  return (
    <>
      <PageHeader title="Webhooks" about="Get notified when a post is published or fails.">
        {webhooks?.length !== 0 && create}
      </PageHeader>
      {webhooks?.length === 0 && (
        <EmptyState icon={IconWebhook} picture="bell" title="No webhooks yet" action={create}>
          A webhook sends signed events to your server.
        </EmptyState>
      )}
      {webhooks && webhooks.length > 0 && <WebhookTable webhooks={webhooks} />}
      {!webhooks && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!webhooks && !error && <LoadingRows label="Loading webhooks" />}
      {webhooks && <LocalTesting />}
      <CreateWebhookDialog opened={isCreating} onClose={creating.close} />
    </>
  );
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  return (
    <StackTable label="Webhooks">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Events</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Last event</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {webhooks.map((webhook) => (
          <Table.Tr key={webhook._id}>
            <Table.Td maw={360}>
              <AnchorLink
                to="/developers/webhooks/$webhookId"
                params={{ webhookId: webhook._id }}
                fw={600}
                dir="auto"
                style={{ overflowWrap: 'anywhere' }}
              >
                {webhook.name}
              </AnchorLink>
              <Text size="sm" c="dimmed" truncate dir="ltr">
                {webhook.url}
              </Text>
            </Table.Td>
            <Table.Td data-label="Events" maw={260}>
              <Text size="sm">{webhook.events.join(', ')}</Text>
            </Table.Td>
            <Table.Td data-label="Status">
              <WebhookState webhook={webhook} />
            </Table.Td>
            <Table.Td data-label="Last event">
              <Text size="sm" component="div">
                <Ago at={webhook.lastTriggeredAt} />
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </StackTable>
  );
}
