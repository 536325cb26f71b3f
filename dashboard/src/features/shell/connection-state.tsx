import { Badge, Tooltip, VisuallyHidden } from '@mantine/core';
import { type Icon, IconBolt, IconCloudOff, IconRefresh } from '@tabler/icons-react';
import { type Connection, useConnection } from '../../lib/connection.ts';

const looks: Record<Connection, { word: string; about: string; icon: Icon }> = {
  live: { word: 'Live', about: 'Changes show up here at once.', icon: IconBolt },
  connecting: { word: 'Connecting', about: 'Changes show up here in a moment.', icon: IconRefresh },
  offline: { word: 'Offline', about: 'The service cannot be reached.', icon: IconCloudOff },
};

/** Whether what happens on the server shows up here at once. */
export function ConnectionState() {
  const { word, about, icon: Sign } = looks[useConnection()];
  return (
    <Tooltip label={about}>
      <Badge
        variant="default"
        tt="none"
        fw={500}
        size="lg"
        role="status"
        leftSection={<Sign size={14} aria-hidden />}
        styles={{ root: { border: 0, background: 'none', color: 'var(--mantine-color-dimmed)' } }}
      >
        {word}
        <VisuallyHidden>: {about}</VisuallyHidden>
      </Badge>
    </Tooltip>
  );
}
