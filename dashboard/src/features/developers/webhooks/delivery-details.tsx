import type { WebhookDelivery } from '@crier/client';
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CopyIcon } from '../../../components/copy-value.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoggedAt } from '../../../components/when.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { prettyJson } from './events.ts';

/** The payload, each attempt with its response, and a button to resend. */
export function DeliveryDetails({ delivery, webhookId }: { delivery: WebhookDelivery; webhookId: string }) {
  const client = useQueryClient();
  const resend = useMutation({
    mutationFn: () => crier.resendWebhookDelivery({ deliveryId: delivery._id }),
    onSuccess: () => {
      notifications.show({ message: 'Event sent again.', withBorder: true });
      void client.invalidateQueries({ queryKey: keys.webhook(webhookId) });
    },
  });
  return (
    <Stack gap="md">
      {delivery.attempts.map((attempt, index) => (
        <Attempt key={attempt.at} attempt={attempt} number={index + 1} />
      ))}
      {delivery.nextAttemptAt && (
        <Text size="sm" c="dimmed" component="div">
          Next attempt: <LoggedAt at={delivery.nextAttemptAt} />
        </Text>
      )}
      <Group gap={4}>
        <Text size="sm" fw={600}>
          Delivery ID
        </Text>
        <Code>{delivery._id}</Code>
        <CopyIcon value={delivery._id} label="Copy delivery ID" />
        <Text size="sm" c="dimmed">
          in the header webhook-id
        </Text>
      </Group>
      <div>
        <Group gap={4}>
          <Text size="sm" fw={600}>
            Body
          </Text>
          <CopyIcon value={delivery.body} label="Copy body" />
        </Group>
        <Body text={prettyJson(delivery.body)} label={`Body of ${delivery.event}`} />
      </div>
      {resend.error && <ErrorState error={resend.error} />}
      <Group>
        <Button size="xs" variant="light" loading={resend.isPending} onClick={() => resend.mutate()}>
          Send again
        </Button>
      </Group>
    </Stack>
  );
}

function Attempt({ attempt, number }: { attempt: WebhookDelivery['attempts'][number]; number: number }) {
  const { at, durationMs, status, error, answer } = attempt;
  return (
    <div>
      <Text size="sm" component="div">
        <Text span fw={600}>
          Attempt {number}
        </Text>
        {': '}
        {status === null ? 'no response' : `status ${status}`} after {durationMs.toLocaleString('en')} ms,{' '}
        <LoggedAt at={at} />
      </Text>
      {error && (
        <Text size="sm" c="red" style={{ overflowWrap: 'anywhere' }}>
          {error}
        </Text>
      )}
      {answer && <Body text={answer} label={`Response to attempt ${number}`} />}
    </div>
  );
}

const Body = ({ text, label }: { text: string; label: string }) => (
  <Code
    block
    dir="ltr"
    mt={4}
    mah={280}
    tabIndex={0}
    role="region"
    aria-label={label}
    style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
  >
    {text}
  </Code>
);
