import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { labelsQuery } from '../../lib/queries.ts';

const all = 'All labels';

/** Filters posts by label. Accounts without labels don't need it. */
export function LabelSelect({
  value,
  onChange,
  ...look
}: Pick<SelectProps, 'className' | 'flex' | 'maw'> & {
  value: string | null;
  onChange: (label: string | null) => void;
}) {
  const { data: labels = [] } = useQuery(labelsQuery);
  if (labels.length === 0 && value === null) return null;
  // Several brands may have the same label.
  const names = [...new Set(labels.map(({ name }) => name))];
  // A label without posts is no longer in the list.
  const known = value === null || names.includes(value) ? names : [value, ...names];
  const shown = value ?? all;
  return (
    <Select
      {...look}
      title={shown}
      // As wide as the chosen name, which a narrow field would cut.
      miw={`min(100%, 260px, ${shown.length * 0.75}ch + var(--field-padding, 54px))`}
      aria-label="Label"
      // A label may have any text, also an empty value's.
      data={[{ value: 'all', label: all }, ...known.map((name) => ({ value: `is ${name}`, label: name }))]}
      value={value === null ? 'all' : `is ${value}`}
      onChange={(chosen) => onChange(chosen === null || chosen === 'all' ? null : chosen.slice('is '.length))}
      allowDeselect={false}
      searchable={labels.length > 8}
      nothingFoundMessage="No matching labels"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}
