import type { Webhook } from '@crier/client';
import { Badge } from '@mantine/core';
import { count } from '../../../lib/posts/post-summary.ts';

/** Whether a webhook is enabled, and its failures. */
export function WebhookState({ webhook: { isActive, failureCount } }: { webhook: Webhook }) {
  if (!isActive) {
    return (
      <Badge color="gray" variant="light" tt="none">
        Disabled
      </Badge>
    );
  }
  return (
    <Badge color={failureCount > 0 ? 'orange' : 'green'} variant="light" tt="none">
      {failureCount > 0 ? count(failureCount, 'failure') : 'Enabled'}
    </Badge>
  );
}
