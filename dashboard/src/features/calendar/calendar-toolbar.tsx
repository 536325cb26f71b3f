import { ActionIcon, Button, Group, SegmentedControl, Select, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { ChannelSelect } from '../../components/channels/select.tsx';
import { statusLabel } from '../../components/status-badge.tsx';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { type DateKey, dateKeyOf } from '../../lib/time/time.ts';
import { type CalendarSearch, statuses, step, titleOf, type View, views } from './calendar-range.ts';
import classes from './calendar-toolbar.module.css';

const names: Record<View, string> = { month: 'Month', week: 'Week', day: 'Day', list: 'List' };

interface Props {
  view: View;
  date: DateKey;
  isPhone: boolean;
  search: CalendarSearch;
  onSearch: (search: CalendarSearch) => void;
}

export function CalendarToolbar(props: Props) {
  const { view, search, onSearch } = props;
  const { channel: _, ...withoutChannel } = search;
  const { status, ...withoutStatus } = search;
  return (
    <div className={classes.toolbar}>
      <Steps {...props} />
      <Group gap="sm" className={classes.filters}>
        <ChannelSelect
          value={search.channel ?? null}
          onChange={(channel) => onSearch(channel ? { ...search, channel } : withoutChannel)}
        />
        <Select
          aria-label="Status"
          data={[
            { value: '', label: 'All statuses' },
            ...statuses.map((value) => ({ value, label: statusLabel(value) })),
          ]}
          value={status ?? ''}
          onChange={(value) => onSearch(value ? { ...search, status: value } : withoutStatus)}
          allowDeselect={false}
          flex="1 1 130px"
          maw={170}
        />
        <SegmentedControl
          aria-label="View"
          className={classes.views}
          value={view}
          onChange={(value) => onSearch({ ...search, view: value as View })}
          data={views.map((value) => ({ value, label: names[value] }))}
        />
      </Group>
    </div>
  );
}

function Steps({ view, date, isPhone, search, onSearch }: Props) {
  const preferences = useTimePreferences();
  const go = (to: DateKey) => onSearch({ ...search, date: to });
  return (
    <Group gap="xs" wrap="nowrap">
      <Button variant="default" flex="none" onClick={() => go(dateKeyOf(new Date(), preferences.zone))}>
        Today
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        flex="none"
        aria-label="Previous"
        onClick={() => go(step(view, date, -1))}
      >
        <IconChevronLeft size={20} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        flex="none"
        aria-label="Next"
        onClick={() => go(step(view, date, 1))}
      >
        <IconChevronRight size={20} aria-hidden />
      </ActionIcon>
      <div className={classes.title}>
        <Text component="h2" fw={600} fz={{ base: 'md', xs: 'lg' }} lh={1.2} aria-live="polite">
          {titleOf(view, date, preferences, isPhone)}
        </Text>
        <Text size="xs" c="dimmed">
          {preferences.zone.replaceAll('_', ' ')}
        </Text>
      </div>
    </Group>
  );
}
