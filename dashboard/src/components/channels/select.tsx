import { Group, Select, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { platformName, platformOf } from '../../lib/platform-name.ts';
import { channelsQuery } from '../../lib/queries.ts';
import { channelName } from './avatar.tsx';
import { PlatformIcon } from './platform-icon.tsx';

/** Filters posts by channel. */
export function ChannelSelect({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { data: channels = [] } = useQuery(channelsQuery);
  const options = [
    { value: '', label: 'All channels' },
    ...channels.map((channel) => ({
      value: channel.platformId,
      label: `${channelName(channel)} · ${platformName(platformOf(channel.platformId))}`,
    })),
  ];
  // A channel that was disconnected still has posts.
  const known = !value || options.some((option) => option.value === value);
  const isLong = channels.length > 8;
  const data = known ? options : [...options, { value, label: `Disconnected · ${platformName(platformOf(value))}` }];
  const chosen = data.find((option) => option.value === (value ?? ''))?.label ?? '';
  // As wide as the chosen name, which a narrow field would cut.
  const width = `max(180px, min(100%, 480px, ${chosen.length}ch + 64px))`;
  return (
    <Select
      aria-label="Channel"
      data={data}
      title={chosen}
      value={value ?? ''}
      onChange={(id) => onChange(id || null)}
      allowDeselect={false}
      searchable={isLong}
      // Typing replaces the current selection.
      onClick={({ currentTarget }) => isLong && currentTarget.select()}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      styles={{ dropdown: { maxWidth: 'min(360px, calc(100vw - 32px))' } }}
      nothingFoundMessage="No matching channels"
      flex={`1 1 ${width}`}
      maw={{ base: '100%', xs: width }}
      leftSection={value ? <PlatformIcon platform={platformOf(value)} size={16} /> : undefined}
      renderOption={({ option, checked }) => (
        <Group gap="xs" wrap="nowrap" miw={0}>
          {option.value && <PlatformIcon platform={platformOf(option.value)} size={16} style={{ flex: 'none' }} />}
          <Text size="sm" truncate miw={0}>
            {option.label}
          </Text>
          {checked && <IconCheck size={14} style={{ flex: 'none' }} aria-hidden />}
        </Group>
      )}
    />
  );
}
