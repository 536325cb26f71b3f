import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { ChannelSelect } from '../../../components/channels/select.tsx';
import { LabelSelect } from '../../../components/labels/label-select.tsx';
import { allBrands, useBrand } from '../../../lib/brands/brand.ts';
import { DateFilter } from './date-filter.tsx';
import classes from './filter-bar.module.css';
import { type OnFilter, type PostFilters, type Sorting, sortingOf, sortKeys } from './filters.ts';
import { columns } from './table-columns.ts';

/** Search and filters. The search is debounced into the address. */
export function FilterBar({ filters, onFilter }: { filters: PostFilters; onFilter: OnFilter }) {
  const { q, ...others } = filters;
  const [words, setWords] = useState(q ?? '');
  // The address also changes through links and back navigation.
  useEffect(() => setWords(q ?? ''), [q]);
  const apply = useDebouncedCallback((text: string) => {
    const wanted = text.trim().slice(0, 200);
    onFilter({ ...others, ...(wanted && { q: wanted }) }, true);
  }, 250);
  const filterBy = (name: 'channel' | 'label' | 'dates') => (value: string | null) => {
    const { [name]: _, ...rest } = filters;
    onFilter(value === null ? rest : { ...rest, [name]: value });
  };
  return (
    <div className={classes.frame}>
      <div className={classes.bar}>
        <TextInput
          type="search"
          aria-label="Search posts"
          placeholder="Search posts"
          leftSection={<IconSearch size={16} aria-hidden />}
          className={classes.search}
          value={words}
          onChange={(event) => {
            setWords(event.currentTarget.value);
            apply(event.currentTarget.value);
          }}
        />
        <ChannelSelect value={filters.channel ?? null} onChange={filterBy('channel')} />
        <LabelSelect className={classes.choice} value={filters.label ?? null} onChange={filterBy('label')} />
        <DateFilter value={filters.dates ?? null} onChange={filterBy('dates')} />
        <SortSelect filters={filters} onFilter={onFilter} />
      </div>
    </div>
  );
}

/** The columns' headings sort the list, where there is room for them. */
function SortSelect({ filters, onFilter }: { filters: PostFilters; onFilter: OnFilter }) {
  const isAllBrands = useBrand() === allBrands;
  const { sort, order } = sortingOf(filters, isAllBrands);
  const choices = sortKeys
    .filter((key) => !(isAllBrands && key === 'updated'))
    .flatMap((key) =>
      (['desc', 'asc'] as const).map((way) => ({
        value: `${key} ${way}`,
        label: `${columns[key]}: ${way === 'desc' ? 'latest' : 'earliest'}`,
      })),
    );
  return (
    <Select
      aria-label="Sort by"
      className={classes.sort}
      data={choices}
      value={`${sort} ${order}`}
      allowDeselect={false}
      onChange={(chosen) => {
        const [key, way] = (chosen ?? '').split(' ') as [Sorting['sort'], Sorting['order']];
        onFilter({ ...filters, sort: key, order: way });
      }}
    />
  );
}
