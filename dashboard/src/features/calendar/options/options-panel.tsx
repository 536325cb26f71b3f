import { ActionIcon, Button, Divider, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPrinter, IconTrash } from '@tabler/icons-react';
import { useRouteContext } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { useBrands } from '../../../lib/brands/use-brands.ts';
import type { CalendarSearch } from '../calendar-range.ts';
import { type Colouring, colourings, useColouring } from './colours.ts';
import { maxNameLength, maxViews, useSavedViews, withView } from './saved-views.ts';

const names: Record<Colouring, string> = { status: 'Status', brand: 'Brand', network: 'Network' };

export default function OptionsPanel({
  search,
  onSearch,
  onPrint,
}: {
  search: CalendarSearch;
  onSearch: (search: CalendarSearch) => void;
  onPrint: () => void;
}) {
  return (
    <Stack gap="sm">
      <SavedViews search={search} onSearch={onSearch} />
      <Divider />
      <Colours />
      <Divider />
      <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={onPrint}>
        Print
      </Button>
    </Stack>
  );
}

function SavedViews({ search, onSearch }: { search: CalendarSearch; onSearch: (search: CalendarSearch) => void }) {
  const { session } = useRouteContext({ from: '/_app' });
  const [views, setViews] = useSavedViews(session._id);
  const [name, setName] = useState('');
  const heading = useId();
  const isFull = views.length >= maxViews;
  const save = (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === '') return;
    setViews(withView(views, wanted, search));
    setName('');
    notifications.show({ message: `Saved the view “${wanted}” on this device.`, withBorder: true });
  };
  return (
    <section aria-labelledby={heading}>
      <Text id={heading} size="sm" fw={600} mb={4}>
        Saved views
      </Text>
      {views.length === 0 && (
        <Text size="sm" c="dimmed">
          Save the current view with its filters to come back to it.
        </Text>
      )}
      <Stack
        gap={2}
        component="ul"
        style={{ listStyle: 'none', margin: 0, padding: 0, maxHeight: 220, overflowY: 'auto' }}
      >
        {views.map((view) => (
          <Group key={view.name} component="li" gap={4} wrap="nowrap">
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              flex={1}
              miw={0}
              justify="flex-start"
              // The date stays, and so does what an address has by default.
              onClick={() => onSearch({ ...(search.date && { date: search.date }), brand: undefined, ...view.search })}
            >
              <bdi>{view.name}</bdi>
            </Button>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Delete view ${view.name}`}
              onClick={() => setViews(views.filter((one) => one !== view))}
            >
              <IconTrash size={15} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      <form onSubmit={save}>
        <Group gap={6} mt={8} wrap="nowrap" align="flex-end">
          <TextInput
            label="Name"
            size="xs"
            flex={1}
            maxLength={maxNameLength}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            disabled={isFull}
          />
          <Button type="submit" size="xs" variant="default" disabled={name.trim() === '' || isFull}>
            Save view
          </Button>
        </Group>
      </form>
      {isFull && (
        <Text size="xs" c="dimmed" mt={4}>
          You have {maxViews} views. Delete one to save another.
        </Text>
      )}
    </section>
  );
}

function Colours() {
  const [colouring, setColouring] = useColouring();
  const hasBrands = (useBrands() ?? []).length > 0;
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <Text id={heading} size="sm" fw={600} mb={4}>
        Colour by
      </Text>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-labelledby={heading}
        value={colouring}
        onChange={(value) => setColouring(value as Colouring)}
        data={colourings
          .filter((value) => value !== 'brand' || hasBrands || colouring === 'brand')
          .map((value) => ({ value, label: names[value] }))}
      />
    </section>
  );
}
