import type { Connection } from '@crier/client';
import { Avatar, Box } from '@mantine/core';
import { platformOf } from '../../lib/platform-name.ts';
import classes from './avatar.module.css';
import { PlatformIcon } from './platform-icon.tsx';

type Channel = Pick<Connection, 'platformId' | 'username' | 'displayName'> & { avatarPath?: string | null };

/** The account's picture, or its initials, with the network's badge in the corner. */
export function ChannelAvatar({ channel, size = 36 }: { channel: Channel; size?: number }) {
  const name = channel.displayName || channel.username || '';
  return (
    <Box className={classes.root} aria-hidden>
      <Avatar
        src={channel.avatarPath}
        name={name}
        color="initials"
        size={size}
        alt=""
        classNames={{ root: classes.picture, placeholder: classes.initials }}
      />
      <span className={classes.icon}>
        <PlatformIcon platform={platformOf(channel.platformId)} size={Math.max(14, Math.round(size * 0.4))} />
      </span>
    </Box>
  );
}

/** `@ada@example.social`, or the name where a network has no handles. */
export const channelName = ({ username, displayName }: Channel) => username || displayName || 'Unnamed channel';
