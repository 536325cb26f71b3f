import type { Connection } from '@crier/client';
import { Badge } from '@mantine/core';
import { IconBan, IconCheck, IconClockExclamation, IconPlugConnectedX } from '@tabler/icons-react';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { healthLabel } from './channel-list.ts';

const looks = {
  healthy: { color: 'green', icon: IconCheck },
  expiring: { color: 'orange', icon: IconClockExclamation },
  reconnect: { color: 'red', icon: IconPlugConnectedX },
  restricted: { color: 'red', icon: IconBan },
};

/** Green text on pale green has too little contrast. */
const readable = { label: { color: 'var(--mantine-color-text)' } };

/** Whether the channel can publish, as a word with an icon. */
export function HealthBadge({ channel }: { channel: Connection }) {
  const preferences = useTimePreferences();
  const { color, icon: Icon } = looks[channel.health];
  return (
    <Badge
      variant="light"
      color={color}
      leftSection={<Icon size={12} aria-hidden />}
      fw={600}
      flex="none"
      styles={readable}
    >
      {healthLabel(channel, preferences)}
    </Badge>
  );
}
