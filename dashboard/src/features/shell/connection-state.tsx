import { Tooltip, VisuallyHidden } from '@mantine/core';
import { type Icon, IconBolt, IconCloudOff, IconRefresh } from '@tabler/icons-react';
import { type Connection, useConnection } from '../../lib/live/connection.ts';
import classes from './shell.module.css';

const looks: Record<Connection, { word: string; about: string; icon: Icon }> = {
  live: { word: 'Live updates on', about: 'Changes appear here in real time.', icon: IconBolt },
  connecting: { word: 'Connecting', about: 'Changes will appear here in a moment.', icon: IconRefresh },
  offline: { word: 'Offline', about: 'Can’t reach Crier.', icon: IconCloudOff },
};

/** The state of live updates. Only says more than an icon if something is wrong. */
export function ConnectionState() {
  const state = useConnection();
  const { word, about, icon: Icon } = looks[state];
  return (
    <Tooltip label={state === 'live' ? `${word}. ${about}` : about}>
      <span role="status" className={classes.connection} data-state={state}>
        <Icon size={16} stroke={1.8} aria-hidden />
        {state === 'live' ? <VisuallyHidden>{word}</VisuallyHidden> : <span className={classes.wide}>{word}</span>}
        <VisuallyHidden>: {about}</VisuallyHidden>
      </span>
    </Tooltip>
  );
}
