import type { Connection } from '@crier/client';
import { Box, Button, Group, Text, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCircle, IconCircleCheckFilled, IconSearch } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { ChannelAvatar, channelName } from '../../components/channels/avatar.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { platformName, platformOf } from '../../lib/platform-name.ts';
import classes from './channel-picker.module.css';
import type { Change } from './use-composer.ts';

/** Shown initially, so that the text below stays on screen. */
const manyChannels = 12;
/** From this many, a phone shows pictures without names. */
const compactFrom = 4;

/** "Post to": one toggle button per channel. */
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
  const [isOpen, setOpen] = useState(false);
  const isMany = channels.length > manyChannels;
  const isChosen = ({ platformId }: Connection) => chosen.includes(platformId);
  const matching = channels.filter(
    (channel) => isChosen(channel) || nameOf(channel).toLowerCase().includes(filter.toLowerCase()),
  );
  const shown = isOpen ? matching : channels.filter((channel, index) => index < manyChannels || isChosen(channel));
  const isCompact = !isOpen && channels.length >= compactFrom;
  const show = (open: boolean) => {
    setOpen(open);
    setFilter('');
  };
  return (
    <Box>
      <Group mb={6} gap="xs" mih={26}>
        <Text fw={600} size="sm" id="post-to">
          Post to
        </Text>
        {channels.length > 1 && <AllButton shown={matching} chosen={chosen} change={change} />}
        {channels.length >= compactFrom && (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={isOpen}
            aria-controls="post-to-channels"
            hiddenFrom={isMany ? undefined : 'sm'}
            onClick={() => show(!isOpen)}
          >
            {isOpen ? 'Show less' : isMany ? `All ${channels.length} channels` : 'Show names'}
          </Button>
        )}
        {isMany && isOpen && (
          <TextInput
            size="xs"
            className={classes.channelSearch}
            aria-label="Search channels"
            placeholder="Search channels"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        )}
      </Group>
      <fieldset
        id="post-to-channels"
        aria-labelledby="post-to"
        className={classes.channels}
        data-compact={isCompact || undefined}
        data-open={isOpen || undefined}
      >
        {shown.map((channel) => (
          <ChannelButton
            key={channel.platformId}
            channel={channel}
            isChosen={isChosen(channel)}
            onToggle={(chosen) => change({ type: 'channel', id: channel.platformId, chosen })}
          />
        ))}
      </fieldset>
      {isCompact && <ChosenNames channels={channels.filter(isChosen)} />}
      <Unhealthy channels={channels} />
    </Box>
  );
});

/** The names that a phone leaves out. For screen readers, the buttons have them. */
const ChosenNames = ({ channels }: { channels: readonly Connection[] }) => (
  <Text size="sm" c="dimmed" mt={6} lineClamp={2} hiddenFrom="sm" aria-hidden dir="auto">
    {channels.length === 0 ? 'No channels selected.' : channels.map(nameOf).join(', ')}
  </Text>
);

const Unhealthy = ({ channels }: { channels: readonly Connection[] }) =>
  channels
    .filter(({ connectionStatus }) => connectionStatus === 'reconnect_required')
    .map((channel) => (
      <Group key={channel.platformId} gap={6} mt={8} wrap="nowrap" align="flex-start">
        <IconAlertTriangle size={16} aria-hidden className={classes.warningIcon} />
        <Text size="sm">
          {nameOf(channel)} can’t publish: {channel.lastError?.message ?? 'the network rejected Crier’s access.'}{' '}
          <AnchorLink to="/channels" underline="always">
            Reconnect
          </AnchorLink>
        </Text>
      </Group>
    ));

/** Selects every visible channel that can publish, or none. */
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
      {isAll ? 'Deselect all' : 'Select all'}
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
    <UnstyledButton
      className={classes.channel}
      title={nameOf(channel)}
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
