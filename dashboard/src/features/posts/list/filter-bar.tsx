import { Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { ChannelSelect } from '../../../components/channels/select.tsx';
import type { PostFilters } from './filters.ts';

/** Search and channel filter. The search is debounced into the address. */
export function FilterBar({ filters, onFilter }: { filters: PostFilters; onFilter: (filters: PostFilters) => void }) {
  const { q, channel, ...others } = filters;
  const [words, setWords] = useState(q ?? '');
  // The address also changes through links and back navigation.
  useEffect(() => setWords(q ?? ''), [q]);
  const apply = useDebouncedCallback((text: string) => {
    const wanted = text.trim().slice(0, 200);
    onFilter({ ...others, ...(channel && { channel }), ...(wanted && { q: wanted }) });
  }, 250);
  return (
    <Group mb="md" gap="sm" wrap="wrap">
      <TextInput
        type="search"
        aria-label="Search posts"
        placeholder="Search posts"
        leftSection={<IconSearch size={16} aria-hidden />}
        flex="1 1 220px"
        maw={420}
        value={words}
        onChange={(event) => {
          setWords(event.currentTarget.value);
          apply(event.currentTarget.value);
        }}
      />
      <ChannelSelect
        value={channel ?? null}
        onChange={(id) => onFilter({ ...others, ...(q && { q }), ...(id && { channel: id }) })}
      />
    </Group>
  );
}
