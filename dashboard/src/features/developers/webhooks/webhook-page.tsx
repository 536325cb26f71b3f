import type { Webhook } from '@crier/client';
import { Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../../components/error-state.tsx';
import { BackLink } from '../../../components/links.tsx';
import { NotFound } from '../../../components/not-found.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { WebhookActions } from './actions.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { webhooksQuery } from './queries.ts';
import { WebhookState } from './state.tsx';

/** One webhook: its events, and the result of each delivery. */
export function WebhookPage({ webhookId }: { webhookId: string }) {
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery);
  if (!webhooks) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={240} />;
  const webhook = webhooks.find(({ _id }) => _id === webhookId);
  if (!webhook) return <NotFound />;
  return (
    <>
      <PageHeader
        title={webhook.name}
        about={<About webhook={webhook} />}
        back={<BackLink to="/developers/webhooks">Webhooks</BackLink>}
      >
        <WebhookActions webhook={webhook} />
      </PageHeader>
      <Stack component="section" aria-labelledby="deliveries">
        <Title order={2} size="h4" id="deliveries">
          Deliveries
        </Title>
        <DeliveryList webhookId={webhookId} />
      </Stack>
    </>
  );
}

function About({ webhook }: { webhook: Webhook }) {
  return (
    <Stack gap={6}>
      <Text dir="ltr" style={{ overflowWrap: 'anywhere' }}>
        {webhook.url}
      </Text>
      <Group gap="xs">
        <WebhookState webhook={webhook} />
        {webhook.events.map((event) => (
          <Code key={event}>{event}</Code>
        ))}
      </Group>
    </Stack>
  );
}
