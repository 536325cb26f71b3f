import type { Connection } from '@crier/client';
import { Box, Button, Group, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, memo, useMemo, useState } from 'react';
import { AnchorLink } from '../../../components/links.tsx';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import type { Change } from '../use-composer.ts';
import { ChannelButton, nameOf } from './button.tsx';
import classes from './channels.module.css';
import { groupsFound, groupsOf } from './groups.ts';

/** From this many, they can be searched, and the list has a limited height, so that the text stays on screen. */
const manyFrom = 7;
/** From this many, a phone shows pictures without names. */
const compactFrom = 4;

/** "Post to": one toggle button per channel. */
export const ChannelPicker = memo(function ChannelPicker({
  channels,
  chosen,
  lastUsed,
  change,
}: {
  channels: readonly Connection[];
  chosen: readonly string[];
  /** Offered while nothing is selected. */
  lastUsed: readonly string[];
  change: Change;
}) {
  const [filter, setFilter] = useState('');
  const [isOpen, setOpen] = useState(false);
  // Not the current selection: a click must not move a channel.
  const [first] = useState(() =>
    chosen.length > 0 ? { name: 'Selected', ids: chosen } : { name: 'Last used', ids: lastUsed },
  );
  const isMany = channels.length >= manyFrom;
  const groups = useMemo(() => {
    if (filter !== '') return groupsFound(channels, filter, chosen);
    return isMany ? groupsOf(channels, first) : [{ name: '', channels }];
  }, [channels, chosen, filter, first, isMany]);
  const isGrouped = isMany && (isOpen || filter !== '');
  const isCompact = !isGrouped && channels.length >= compactFrom;
  const show = (open: boolean) => {
    setOpen(open);
    setFilter('');
  };
  /** Enter selects the first match, for those who type the next name right after it. */
  const onSearchKey = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
    const [match] = groups[0]?.channels ?? [];
    if (key === 'Enter' && filter !== '' && match && !ctrlKey && !metaKey)
      change({ type: 'channel', id: match.platformId, chosen: !chosen.includes(match.platformId) });
    if (key === 'Enter' || key === 'Escape') setFilter('');
  };
  return (
    <Box>
      <Group mb={6} gap="xs" mih={26}>
        <Text fw={600} size="sm" id="post-to">
          Post to
        </Text>
        {channels.length > 1 && (
          <AllButton shown={groups.flatMap((group) => group.channels)} chosen={chosen} change={change} />
        )}
        {chosen.length === 0 && lastUsed.length > 0 && (
          <Button size="compact-sm" variant="subtle" onClick={() => change({ type: 'channels', ids: lastUsed })}>
            Last used
          </Button>
        )}
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
        {isMany && (
          <TextInput
            size="xs"
            className={classes.channelSearch}
            aria-label="Find a channel"
            placeholder="Find a channel"
            leftSection={<IconSearch size={14} aria-hidden />}
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value)}
            onKeyDown={onSearchKey}
          />
        )}
      </Group>
      <fieldset
        id="post-to-channels"
        aria-labelledby="post-to"
        className={classes.channels}
        data-many={isMany || undefined}
        data-compact={isCompact || undefined}
        data-grouped={isGrouped || undefined}
      >
        {groups.map((group) => (
          <Fragment key={group.name}>
            {isGrouped && (
              <Text size="xs" fw={600} c="dimmed" className={classes.group}>
                {group.name}
              </Text>
            )}
            {group.channels.map((channel) => (
              <ChannelButton
                key={channel.platformId}
                channel={channel}
                isChosen={chosen.includes(channel.platformId)}
                onToggle={(chosen) => change({ type: 'channel', id: channel.platformId, chosen })}
              />
            ))}
          </Fragment>
        ))}
        {groups.length === 0 && (
          <Text size="sm" c="dimmed" role="status">
            No matching channels.
          </Text>
        )}
      </fieldset>
      {channels.length >= compactFrom && <ChosenNames channels={channels} chosen={chosen} isMany={isMany} />}
      <Gone ids={chosen.filter((id) => !channels.some(({ platformId }) => platformId === id))} change={change} />
      <Unhealthy channels={channels.filter(({ platformId }) => !isMany || chosen.includes(platformId))} />
    </Box>
  );
});

/** What is selected: a phone leaves out names, and a long list is scrolled. For screen readers, the buttons have it. */
function ChosenNames({
  channels,
  chosen,
  isMany,
}: {
  channels: readonly Connection[];
  chosen: readonly string[];
  isMany: boolean;
}) {
  const names = channels.filter(({ platformId }) => chosen.includes(platformId)).map(nameOf);
  return (
    <Text
      size="sm"
      c="dimmed"
      mt={6}
      lineClamp={isMany ? 1 : 2}
      hiddenFrom={isMany ? undefined : 'sm'}
      aria-hidden
      dir="auto"
    >
      {names.length === 0 && 'No channels selected.'}
      {names.length > 0 && `${isMany ? `${names.length} selected: ` : ''}${names.join(', ')}`}
    </Text>
  );
}

/** The service refuses changes of a post with a channel that was disconnected. */
const Gone = ({ ids, change }: { ids: readonly string[]; change: Change }) =>
  ids.map((id) => (
    <Group key={id} gap={6} mt={8} wrap="nowrap" role="group" aria-label="Disconnected channel">
      <IconAlertTriangle size={16} aria-hidden className={classes.warningIcon} />
      <Text size="sm">The {platformName(platformOf(id))} channel of this post was disconnected.</Text>
      <Button
        size="compact-sm"
        variant="subtle"
        flex="none"
        onClick={() => change({ type: 'channel', id, chosen: false })}
      >
        Remove it
      </Button>
    </Group>
  ));

const Unhealthy = ({ channels }: { channels: readonly Connection[] }) =>
  channels
    .filter(({ connectionStatus }) => connectionStatus === 'reconnect_required')
    .map((channel) => (
      <Group key={channel.platformId} gap={6} mt={8} wrap="nowrap" align="flex-start">
        <IconAlertTriangle size={16} aria-hidden className={classes.warningIcon} />
        <Text size="sm">
          {nameOf(channel)} can’t publish: {channel.lastError?.message ?? 'the network rejected Crier’s access.'}{' '}
          <AnchorLink
            to="/channels"
            search={{ add: channel.platform, reconnect: channel.platformId }}
            underline="always"
          >
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
