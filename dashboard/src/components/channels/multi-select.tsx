import type { Connection } from '@crier/client';
import { Combobox, Group, InputBase, Text, useCombobox } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { platformOf } from '../../lib/platform-name.ts';
import { hasWords } from '../../lib/posts/post-summary.ts';
import { channelsQuery } from '../../lib/queries.ts';
import { byNetwork } from './by-network.ts';
import { labelOf, labelOfId, shortNameOf } from './names.ts';
import { PlatformIcon } from './platform-icon.tsx';
import { useChannelBrands } from './use-channel-brands.ts';

/** From this many, they are grouped by network and can be searched, as in the composer. */
const manyFrom = 7;

/** The toolbar of the calendar has room for this many letters. */
const maxLength = 24;

/** Filters posts by several channels. Empty: all. */
export function ChannelsSelect({
  value,
  onChange,
}: {
  value: readonly string[];
  onChange: (ids: readonly string[]) => void;
}) {
  const { data: channels = [] } = useQuery(channelsQuery);
  const brands = useChannelBrands();
  const [words, setWords] = useState('');
  const isMany = channels.length >= manyFrom;
  const combobox = useCombobox({
    onDropdownOpen: () => isMany && combobox.focusSearchInput(),
    onDropdownClose() {
      combobox.resetSelectedOption();
      if (isMany) combobox.focusTarget();
      setWords('');
    },
  });
  const chosen = shortOf(value, channels);
  // As wide as the chosen name, which a narrow field would cut.
  const width = `max(130px, min(100%, ${chosen.length * 0.8}ch + 80px))`;
  // A channel that was disconnected still has posts.
  const gone = value.filter((id) => !channels.some(({ platformId }) => platformId === id));
  const found = channels.filter((channel) => hasWords(`${labelOf(channel)} ${brands?.nameOf(channel) ?? ''}`, words));
  const groups = brands ? brands.group(found) : isMany ? byNetwork(found) : null;
  const toggle = (id: string) => {
    if (id === '') onChange([]);
    else onChange(value.includes(id) ? value.filter((one) => one !== id) : [...value, id]);
  };
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={toggle}
      // Inside the toolbar, so that it is part of a landmark.
      withinPortal={false}
      width="max-content"
      position="bottom-start"
      styles={{ dropdown: { maxWidth: 'min(360px, calc(100vw - 32px))', minWidth: 220 } }}
    >
      <Combobox.Target targetType="button" withExpandedAttribute>
        <InputBase
          component="button"
          type="button"
          pointer
          aria-label="Channel"
          title={value.map((id) => labelOfId(id, channels)).join(', ')}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          leftSection={value.length === 1 ? <PlatformIcon platform={platformOf(value[0]!)} size={16} /> : undefined}
          onClick={() => combobox.toggleDropdown()}
          flex={`1 1 ${width}`}
          maw={{ base: '100%', xs: width }}
          {...(value.length > 0 && { 'data-chosen': true, miw: { base: 0, sm: width } })}
        >
          <Text span size="sm" truncate display="block">
            {chosen}
          </Text>
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        {isMany && (
          <Combobox.Search
            value={words}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
            placeholder="Find a channel"
            aria-label="Find a channel"
          />
        )}
        <Combobox.Options
          mah={320}
          style={{ overflowY: 'auto' }}
          tabIndex={0}
          aria-label="Channels"
          aria-multiselectable
        >
          {words === '' && <Option id="" name="All channels" checked={value.length === 0} />}
          {groups
            ? groups.map((group) => (
                <Combobox.Group key={group.channels[0]!.platformId} label={group.name}>
                  {group.channels.map((channel) => (
                    <ChannelOption key={channel.platformId} channel={channel} value={value} />
                  ))}
                </Combobox.Group>
              ))
            : found.map((channel) => <ChannelOption key={channel.platformId} channel={channel} value={value} />)}
          {gone.map((id) => (
            <Option key={id} id={id} name={labelOfId(id, channels)} checked />
          ))}
          {found.length === 0 && words !== '' && <Combobox.Empty>No matching channels</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

const ChannelOption = ({ channel, value }: { channel: Connection; value: readonly string[] }) => (
  <Option id={channel.platformId} name={labelOf(channel)} checked={value.includes(channel.platformId)} />
);

const Option = ({ id, name, checked }: { id: string; name: string; checked: boolean }) => (
  <Combobox.Option value={id} active={checked} aria-selected={checked}>
    <Group gap="xs" wrap="nowrap" miw={0}>
      {id && <PlatformIcon platform={platformOf(id)} size={16} style={{ flex: 'none' }} />}
      <Text size="sm" truncate miw={0} flex={1}>
        {name}
      </Text>
      {checked && <IconCheck size={14} style={{ flex: 'none' }} aria-hidden />}
    </Group>
  </Combobox.Option>
);

function shortOf(value: readonly string[], channels: readonly Connection[]): string {
  if (value.length === 0) return 'All channels';
  return value.length === 1 ? shortNameOf(value[0]!, channels, maxLength) : `${value.length} channels`;
}
