import { Badge, Tooltip, VisuallyHidden } from '@mantine/core';
import { type Icon, IconBolt, IconCloudOff, IconRefresh } from '@tabler/icons-react';
import { type Connection, useConnection } from '../../lib/live/connection.ts';
import classes from './shell.module.css';

const looks: Record<Connection, { word: string; about: string; icon: Icon }> = {
  live: { word: 'Live updates on', about: 'Changes appear here in real time.', icon: IconBolt },
  connecting: { word: 'Connecting', about: 'Changes will appear here in a moment.', icon: IconRefresh },
  offline: { word: 'Offline', about: 'Can’t reach Crier.', icon: IconCloudOff },
};

/** The state of live updates. */
export function ConnectionState() {
  const { word, about, icon: Icon } = looks[useConnection()];
  return (
    <Tooltip label={about}>
      <Badge
        variant="default"
        tt="none"
        fw={500}
        size="lg"
        role="status"
        leftSection={<Icon size={14} aria-hidden />}
        styles={{ root: { border: 0, background: 'none', color: 'var(--mantine-color-dimmed)' } }}
      >
        <span className={classes.connectionWord}>{word}</span>
        <VisuallyHidden>: {about}</VisuallyHidden>
      </Badge>
    </Tooltip>
  );
}
