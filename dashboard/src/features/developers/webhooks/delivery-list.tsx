import type { WebhookDelivery } from '@crier/client';
import { Accordion, Badge, Group, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { Ago } from '../../../components/when.tsx';
import { count } from '../../../lib/posts/post-summary.ts';
import { LoadingRows } from '../loading-rows.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { deliveriesQuery } from './queries.ts';

/** A webhook's latest deliveries, newest first. Each expands to its payload and responses. */
export function DeliveryList({ webhookId }: { webhookId: string }) {
  const { data: deliveries, error, refetch } = useQuery(deliveriesQuery(webhookId));
  if (!deliveries && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!deliveries) return <LoadingRows label="Loading deliveries" />;
  if (deliveries.length === 0) {
    return (
      <EmptyState icon={IconSend} picture="bell" title="No deliveries yet">
        Events appear here with your server’s response. Use “Send test” to send one now.
      </EmptyState>
    );
  }
  return (
    <Accordion variant="separated" order={3}>
      {deliveries.map((delivery) => (
        <Accordion.Item key={delivery._id} value={delivery._id}>
          <Accordion.Control>
            <Summary delivery={delivery} />
          </Accordion.Control>
          <Accordion.Panel>
            <DeliveryDetails delivery={delivery} webhookId={webhookId} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

const looks = {
  pending: { word: 'Pending', color: 'blue' },
  retrying: { word: 'Retrying', color: 'orange' },
  delivered: { word: 'Delivered', color: 'green' },
  failed: { word: 'Failed', color: 'red' },
};

function Summary({ delivery: { status, event, attempts, createdAt } }: { delivery: WebhookDelivery }) {
  const { word, color } = looks[status === 'pending' && attempts.length > 0 ? 'retrying' : status];
  return (
    <Group gap="sm">
      <Badge color={color} variant="light" tt="none" w={92}>
        {word}
      </Badge>
      <Text fw={600} size="sm">
        {event}
      </Text>
      <Text size="sm" c="dimmed" component="div">
        <Ago at={createdAt} /> · {count(attempts.length, 'attempt')}
      </Text>
    </Group>
  );
}
