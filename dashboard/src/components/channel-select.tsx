import { Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { platformName } from '../lib/platform-name.ts';
import { platformOf } from '../lib/platform-of.ts';
import { channelsQuery } from '../lib/queries.ts';
import { channelName } from './channel-avatar.tsx';
import { PlatformIcon } from './platform-icon.tsx';

/** Shows the posts of one channel, or of all. */
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
  return (
    <Select
      aria-label="Channel"
      data={known ? options : [...options, { value, label: `Disconnected · ${platformName(platformOf(value))}` }]}
      value={value ?? ''}
      onChange={(id) => onChange(id || null)}
      allowDeselect={false}
      searchable={channels.length > 8}
      nothingFoundMessage="No such channel"
      flex="1 1 180px"
      maw={{ base: '100%', xs: 260 }}
      leftSection={value ? <PlatformIcon platform={platformOf(value)} size={16} /> : undefined}
      renderOption={({ option }) => (
        <Group gap="xs" wrap="nowrap">
          {option.value && <PlatformIcon platform={platformOf(option.value)} size={16} />}
          <Text size="sm" truncate>
            {option.label}
          </Text>
        </Group>
      )}
    />
  );
}
