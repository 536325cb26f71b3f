import type { Connection } from '@crier/client';
import { Group, Select, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { platformOf } from '../../lib/platform-name.ts';
import { channelsQuery } from '../../lib/queries.ts';
import { labelOf, labelOfId, shortNameOf } from './names.ts';
import { PlatformIcon } from './platform-icon.tsx';
import { useChannelBrands } from './use-channel-brands.ts';

const all = 'All channels';

/** The toolbars have room for this many letters, also on a phone. */
const maxLength = 32;

/** Filters posts by channel. */
export function ChannelSelect({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { data: channels = [] } = useQuery(channelsQuery);
  const brands = useChannelBrands();
  const chosen = value === null ? all : shortNameOf(value, channels, maxLength);
  const fullName = value === null ? all : labelOfId(value, channels);
  // The field shows the label of the chosen option.
  const optionOf = (channel: Connection) => ({
    value: channel.platformId,
    label: channel.platformId === value ? chosen : labelOf(channel),
  });
  // A channel that was disconnected still has posts.
  const isGone = value !== null && !channels.some(({ platformId }) => platformId === value);
  const data = [
    { value: '', label: all },
    ...(brands
      ? brands.group(channels).map(({ name, channels: some }) => ({ group: name, items: some.map(optionOf) }))
      : channels.map(optionOf)),
    ...(isGone ? [{ value, label: chosen }] : []),
  ];
  const isLong = channels.length > 8;
  // As wide as the chosen name, which a narrow field would cut.
  const width = `max(150px, min(100%, ${chosen.length * 0.8}ch + 80px))`;
  return (
    <Select
      aria-label="Channel"
      data={data}
      title={fullName}
      value={value ?? ''}
      onChange={(id) => onChange(id || null)}
      allowDeselect={false}
      searchable={isLong}
      maxDropdownHeight={320}
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
            {option.value === (value ?? '') ? fullName : option.label}
          </Text>
          {checked && <IconCheck size={14} style={{ flex: 'none' }} aria-hidden />}
        </Group>
      )}
    />
  );
}
