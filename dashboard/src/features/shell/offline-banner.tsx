import { Alert } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useConnection } from '../../lib/live/connection.ts';

/** While the service is unreachable, says that nothing gets lost. */
export function OfflineBanner() {
  if (useConnection() !== 'offline') return null;
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconCloudOff aria-hidden />}
      title="You’re offline"
      mb="md"
      role="alert"
    >
      Crier can’t be reached. Your changes stay in this browser and are saved when you’re back online.
    </Alert>
  );
}
