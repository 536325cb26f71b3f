import { ActionIcon, Button, Group, SegmentedControl, Select, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
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
        <div className={classes.head}>
          <Title order={1} size="h2" className={classes.heading}>
            Calendar
          </Title>
          <SegmentedControl
            aria-label="View"
            classNames={{ root: classes.views, label: classes.view }}
            value={view}
            onChange={(value) => onSearch({ ...search, view: value as View })}
            data={views.map((value) => ({ value, label: names[value] }))}
          />
          <ViewOptions search={{ ...search, view }} onSearch={onSearch} />
        </div>
        <div className={classes.steps} ref={isPhone ? stickyRef : null}>
          <Steps {...props} />
        </div>
        <div className={classes.filters}>
          <Filters search={search} onSearch={onSearch} />
          {view !== 'list' && <DraftsButton />}
        </div>
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
        className={`${classes.filter} ${classes.status}`}
      />
      <LabelSelect
        className={classes.filter}
        value={label ?? null}
        onChange={(name) => onSearch(name === null ? withoutLabel : { ...search, label: name })}
      />
    </>
  );
}

function Steps({ view, date, search, onSearch }: Props) {
  const preferences = useTimePreferences();
  // Where a long date would leave no room for the filters.
  const isShort = useMediaQuery('(width < 90em)', false, { getInitialValueInEffect: false });
  const go = (to: DateKey) => onSearch({ ...search, date: to });
  return (
    <Group gap={2} wrap="nowrap">
      <Button variant="default" px={11} flex="none" onClick={() => go(dateKeyOf(new Date(), preferences.zone))}>
        Today
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        flex="none"
        aria-label="Previous"
        onClick={() => go(step(view, date, -1))}
      >
        <IconChevronLeft size={20} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        flex="none"
        aria-label="Next"
        onClick={() => go(step(view, date, 1))}
      >
        <IconChevronRight size={20} aria-hidden />
      </ActionIcon>
      <div className={classes.title}>
        <Text component="h2" fw={600} fz={{ base: 'md', xs: 'lg' }} lh={1.2} aria-live="polite">
          {titleOf(view, date, preferences, isShort)}
        </Text>
        <Text size="xs" c="dimmed">
          {preferences.zone.replaceAll('_', ' ')}
        </Text>
      </div>
    </Group>
  );
}
