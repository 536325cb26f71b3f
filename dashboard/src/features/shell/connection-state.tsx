import { Badge, Tooltip } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useConnection } from '../../lib/live-events.ts';

/** Says so while changes on the server do not show up here at once. */
export function ConnectionState() {
  const connection = useConnection();
  if (connection !== 'offline') return null;
  return (
    <Tooltip label="The service cannot be reached. What you write stays here and is saved when it is back.">
      <Badge color="orange" variant="light" leftSection={<IconCloudOff size={12} aria-hidden />} role="status">
        Offline
      </Badge>
    </Tooltip>
  );
}
