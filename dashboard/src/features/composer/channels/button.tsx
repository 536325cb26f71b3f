import type { Connection } from '@crier/client';
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { ChannelAvatar, channelName } from '../../../components/channels/avatar.tsx';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import classes from './channels.module.css';

export const nameOf = (channel: Connection) =>
  `${channelName(channel)} on ${platformName(platformOf(channel.platformId))}`;

/** Selects or deselects a channel. */
export function ChannelButton({
  channel,
  isChosen,
  onToggle,
}: {
  channel: Connection;
  isChosen: boolean;
  onToggle: (isChosen: boolean) => void;
}) {
  const isBroken = channel.connectionStatus === 'reconnect_required';
  const Mark = isChosen ? IconCircleCheckFilled : isBroken ? IconAlertTriangle : IconCircle;
  return (
    <UnstyledButton
      className={classes.channel}
      title={isBroken ? `${nameOf(channel)} can’t publish until you reconnect it` : nameOf(channel)}
      aria-pressed={isChosen}
      onClick={() => onToggle(!isChosen)}
    >
      <ChannelAvatar channel={channel} size={28} />
      <span className={classes.channelText}>
        <bdi className={classes.handle}>{channelName(channel)}</bdi>
        <VisuallyHidden component="span"> on </VisuallyHidden>
        <span className={classes.network}>{platformName(platformOf(channel.platformId))}</span>
      </span>
      <Mark size={18} aria-hidden className={classes.mark} />
    </UnstyledButton>
  );
}
