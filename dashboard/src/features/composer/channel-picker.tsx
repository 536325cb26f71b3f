import type { Connection } from '@crier/client';
import { Box, Button, Group, Text, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCircle, IconCircleCheckFilled, IconSearch } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { ChannelAvatar, channelName } from '../../components/channel-avatar.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { platformOf } from '../../lib/platform-of.ts';
import classes from './composer.module.css';
import type { Change } from './use-composer.ts';

const manyChannels = 12;

/** "Post to": one pressed button per channel. */
export const ChannelPicker = memo(function ChannelPicker({
  channels,
  chosen,
  change,
}: {
  channels: readonly Connection[];
  chosen: readonly string[];
  change: Change;
}) {
  const [filter, setFilter] = useState('');
  const shown = channels.filter(
    (channel) => chosen.includes(channel.platformId) || nameOf(channel).toLowerCase().includes(filter.toLowerCase()),
  );
  const unhealthy = channels.filter(({ connectionStatus }) => connectionStatus === 'reconnect_required');
  return (
    <Box>
      <Group mb={6} gap="xs" mih={26}>
        <Text fw={600} size="sm" id="post-to">
          Post to
        </Text>
        {channels.length > 1 && <AllButton shown={shown} chosen={chosen} change={change} />}
        {channels.length > manyChannels && (
          <TextInput
            size="xs"
            ms="auto"
            aria-label="Search channels"
            placeholder="Search channels"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        )}
      </Group>
      <fieldset aria-labelledby="post-to" className={classes.channels}>
        {shown.map((channel) => (
          <ChannelButton
            key={channel.platformId}
            channel={channel}
            isChosen={chosen.includes(channel.platformId)}
            onToggle={(isChosen) => change({ type: 'channel', id: channel.platformId, chosen: isChosen })}
          />
        ))}
      </fieldset>
      {unhealthy.map((channel) => (
        <Group key={channel.platformId} gap={6} mt={8} wrap="nowrap" align="flex-start">
          <IconAlertTriangle size={16} aria-hidden className={classes.warningIcon} />
          <Text size="sm">
            {nameOf(channel)} cannot publish now:{' '}
            {channel.lastError?.message ?? 'the network no longer accepts the connection.'}{' '}
            <AnchorLink to="/channels" underline="always">
              Reconnect
            </AnchorLink>
          </Text>
        </Group>
      ))}
    </Box>
  );
});

/** Chooses every channel that is shown and can publish, or none. */
function AllButton({
  shown,
  chosen,
  change,
}: {
  shown: readonly Connection[];
  chosen: readonly string[];
  change: Change;
}) {
  const able = shown.filter(({ connectionStatus }) => connectionStatus !== 'reconnect_required');
  const missing = able.map(({ platformId }) => platformId).filter((id) => !chosen.includes(id));
  const isAll = missing.length === 0;
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      onClick={() => change({ type: 'channels', ids: isAll ? [] : [...chosen, ...missing] })}
    >
      {isAll ? 'Choose none' : 'Choose all'}
    </Button>
  );
}

const nameOf = (channel: Connection) => `${channelName(channel)} on ${platformName(platformOf(channel.platformId))}`;

function ChannelButton({
  channel,
  isChosen,
  onToggle,
}: {
  channel: Connection;
  isChosen: boolean;
  onToggle: (isChosen: boolean) => void;
}) {
  const Mark = isChosen ? IconCircleCheckFilled : IconCircle;
  return (
    <UnstyledButton className={classes.channel} aria-pressed={isChosen} onClick={() => onToggle(!isChosen)}>
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
