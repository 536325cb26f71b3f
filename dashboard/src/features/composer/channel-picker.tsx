import type { Connection } from '@crier/client';
import { Box, Group, Text, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconSearch } from '@tabler/icons-react';
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
      <Group justify="space-between" mb={6}>
        <Text fw={600} size="sm" id="post-to">
          Post to
        </Text>
        {channels.length > manyChannels && (
          <TextInput
            size="xs"
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
  return (
    <UnstyledButton className={classes.channel} aria-pressed={isChosen} onClick={() => onToggle(!isChosen)}>
      <ChannelAvatar channel={channel} size={28} />
      <Text span size="sm" truncate maw={160}>
        <bdi>{channelName(channel)}</bdi>
        <VisuallyHidden> on {platformName(platformOf(channel.platformId))}</VisuallyHidden>
      </Text>
      {isChosen && <IconCheck size={16} aria-hidden />}
    </UnstyledButton>
  );
}
