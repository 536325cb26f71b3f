import type { Webhook } from '@crier/client';
import { Badge } from '@mantine/core';
import { count } from '../../../lib/posts/post-summary.ts';

/** Whether a webhook is enabled, and its failed attempts: a delivery makes up to eight. */
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
      {failureCount > 0 ? failedAttempts(failureCount) : 'Enabled'}
    </Badge>
  );
}

/** A success resets the number. */
const failedAttempts = (number: number) => `${count(number, 'failed attempt')}${number > 1 ? ' in a row' : ''}`;
