import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiKeysQuery, keyNameOf } from '../keys/queries.ts';
import { type OnFilter, type RequestFilters, statuses } from './filters.ts';

/** Search and filters. The keys and paths are those of the logged calls. */
export function FilterBar({
  filters,
  keys,
  paths,
  onFilter,
}: {
  filters: RequestFilters;
  keys: readonly string[];
  paths: readonly string[];
  onFilter: OnFilter;
}) {
  const { status, key, path, q } = filters;
  const { data: apiKeys = [] } = useQuery(apiKeysQuery);
  const [words, setWords] = useState(q ?? '');
  // The address also changes through links and back navigation.
  useEffect(() => setWords(q ?? ''), [q]);
  const change = (part: { [Name in keyof RequestFilters]?: RequestFilters[Name] | undefined }, replace = false) =>
    onFilter(without({ ...filters, ...part }), replace);
  const search = useDebouncedCallback((text: string) => {
    change({ q: text.trim().slice(0, 200) || undefined }, true);
  }, 250);
  const selects = { searchable: true, clearable: true, flex: '1 1 150px', maw: 260 } as const;
  return (
    <Group mb="md" gap="sm">
      <TextInput
        type="search"
        aria-label="Search requests"
        placeholder="Request ID, path, status, key"
        leftSection={<IconSearch size={16} aria-hidden />}
        flex="2 1 240px"
        maw={420}
        value={words}
        onChange={(event) => {
          setWords(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
      />
      <Select
        {...selects}
        searchable={false}
        aria-label="Status"
        placeholder="Status"
        data={statuses.map(({ value, label }) => ({ value, label }))}
        value={status ?? null}
        onChange={(value) => change({ status: value ?? undefined })}
      />
      <Select
        {...selects}
        aria-label="Key"
        placeholder="Key"
        data={withChosen(keys, key).map((prefix) => ({
          value: prefix,
          label: keyNameOf(apiKeys, prefix) ?? `${prefix}…`,
        }))}
        value={key ?? null}
        onChange={(value) => change({ key: value ?? undefined })}
      />
      <Select
        {...selects}
        aria-label="Path"
        placeholder="Path"
        data={withChosen(paths, path)}
        value={path ?? null}
        onChange={(value) => change({ path: value ?? undefined })}
        comboboxProps={{ width: 'max-content' }}
      />
    </Group>
  );
}

/** The chosen value may be older than the logged calls. */
const withChosen = (values: readonly string[], chosen = '') =>
  [...new Set([...values, ...(chosen ? [chosen] : [])])].sort();

const without = (filters: { [Name in keyof RequestFilters]?: RequestFilters[Name] | undefined }): RequestFilters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
