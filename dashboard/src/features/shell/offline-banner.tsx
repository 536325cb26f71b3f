import { Alert } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useConnection } from '../../lib/live/connection.ts';

/** Says while the service cannot be reached that nothing gets lost. */
export function OfflineBanner() {
  if (useConnection() !== 'offline') return null;
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconCloudOff aria-hidden />}
      title="You are offline"
      mb="md"
      role="alert"
    >
      The service cannot be reached. What you write stays in this browser, and is saved when the connection is back.
    </Alert>
  );
}
