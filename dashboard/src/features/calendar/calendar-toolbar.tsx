import { ActionIcon, Button, Group, SegmentedControl, Select, Text, Title } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { RefCallback } from 'react';
import { ChannelsSelect } from '../../components/channels/multi-select.tsx';
import { LabelSelect } from '../../components/labels/label-select.tsx';
import { statusLabel } from '../../components/status-badge.tsx';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { type DateKey, dateKeyOf } from '../../lib/time/time.ts';
import { type CalendarSearch, channelsIn, statuses, step, titleOf, type View, views } from './calendar-range.ts';
import classes from './calendar-toolbar.module.css';
import { DraftsButton } from './drafts/drafts-button.tsx';
import { ViewOptions } from './options/view-options.tsx';

const names: Record<View, string> = { month: 'Month', week: 'Week', day: 'Day', list: 'List' };

interface Props {
  /** What stays at the top of the window: on a phone only the date. */
  stickyRef: RefCallback<HTMLElement>;
  view: View;
  date: DateKey;
  isPhone: boolean;
  search: CalendarSearch;
  onSearch: (search: CalendarSearch) => void;
}

/** The page's heading and controls, in one row on a desktop. */
export function CalendarToolbar(props: Props) {
  const { view, search, onSearch, isPhone, stickyRef } = props;
  return (
    <div className={classes.bar} ref={isPhone ? null : stickyRef}>
      <div className={classes.toolbar}>
        <Title order={1} size="h2" className={classes.heading}>
          Calendar
        </Title>
        <div className={classes.steps} ref={isPhone ? stickyRef : null}>
          <Steps {...props} />
        </div>
        <Group gap="xs" className={classes.filters}>
          <Filters search={search} onSearch={onSearch} />
          <SegmentedControl
            aria-label="View"
            className={classes.views}
            value={view}
            onChange={(value) => onSearch({ ...search, view: value as View })}
            data={views.map((value) => ({ value, label: names[value] }))}
          />
          {view !== 'list' && <DraftsButton />}
          <ViewOptions search={{ ...search, view }} onSearch={onSearch} />
        </Group>
      </div>
    </div>
  );
}

function Filters({ search, onSearch }: Pick<Props, 'search' | 'onSearch'>) {
  const { channel, ...withoutChannel } = search;
  const { status, ...withoutStatus } = search;
  const { label, ...withoutLabel } = search;
  return (
    <>
      <ChannelsSelect
        value={channelsIn(channel)}
        onChange={(ids) => onSearch(ids.length > 0 ? { ...search, channel: ids.join(',') } : withoutChannel)}
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
        flex="1 1 110px"
        maw={150}
      />
      <LabelSelect
        flex="1 1 110px"
        maw={150}
        value={label ?? null}
        onChange={(name) => onSearch(name === null ? withoutLabel : { ...search, label: name })}
      />
    </>
  );
}

function Steps({ view, date, isPhone, search, onSearch }: Props) {
  const preferences = useTimePreferences();
  const go = (to: DateKey) => onSearch({ ...search, date: to });
  return (
    <Group gap={6} wrap="nowrap">
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
