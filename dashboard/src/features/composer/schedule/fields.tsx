import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCalendarClock, IconWorld } from '@tabler/icons-react';
import { type FocusEvent, lazy, memo, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { timeOnDay } from '../../../lib/time/new-post-time.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { clockOf, type DateKey } from '../../../lib/time/time.ts';
import classes from '../composer.module.css';
import { DayButton } from './day-button.tsx';
import { SuggestedTimes } from './suggested-times.tsx';
import type { When } from './when.ts';

const OtherZone = lazy(() => import('./other-zone.tsx'));

/** Focused by the link next to "Schedule" while there is no date. */
export const dateFieldId = 'post-date';

export interface PlannedTime {
  readonly draft: { readonly date: string; readonly time: string; readonly channels: readonly string[] };
  readonly change: (edit: { type: 'when'; date?: string; time?: string }) => void;
}

/** "Date" and "Time", and their meaning in the user's time zone. */
export const WhenFields = memo(function WhenFields({
  fields: { draft, change },
  when,
  timeIn,
  timeZone,
}: {
  fields: PlannedTime;
  when: When;
  /** The time in a date phrase such as "fri 14:30". */
  timeIn: (phrase: string) => string | null;
  timeZone: string;
}) {
  const isLeft = useRef(false);
  const isDateLast = useRef(false);
  const understand = useCallback(() => {
    // The last input wins: a time in the phrase replaces the one in the other field.
    const isTimeOld = isDateLast.current && draft.time !== '' && timeIn(draft.date) !== null;
    if (isTimeOld) return change({ type: 'when', time: '' });
    if (!isLeft.current) return;
    // A time whose date was removed would mean today.
    if (isDateLast.current && draft.date.trim() === '' && draft.time !== '') return change({ type: 'when', time: '' });
    // Replace a phrase with its date on blur, or once the parser has loaded.
    if (when.kind !== 'at') return;
    isLeft.current = false;
    change({ type: 'when', date: when.date, time: when.time });
  }, [draft.date, draft.time, timeIn, when, change]);
  useEffect(understand, [understand]);
  const typing = {
    onFocus({ currentTarget }: FocusEvent<HTMLInputElement>) {
      isLeft.current = false;
      // Typing replaces the date that a phrase became.
      currentTarget.select();
    },
    onBlur() {
      isLeft.current = true;
      understand();
    },
  };
  /** A day picked from the calendar gets a default time. */
  const pick = (day: DateKey) => {
    const time = draft.time || timeOnDay(day, timeZone, new Date());
    change({
      type: 'when',
      date: day,
      ...(time && { time: typeof time === 'string' ? time : clockOf(time, timeZone) }),
    });
  };
  return (
    <Stack gap={6}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Date"
          id={dateFieldId}
          placeholder="e.g. tomorrow 9"
          error={when.kind === 'past'}
          flex="1 1 180px"
          rightSection={<DayButton chosen={when.kind === 'at' ? when.date : null} timeZone={timeZone} onPick={pick} />}
          value={draft.date}
          onChange={({ currentTarget }) => {
            isDateLast.current = true;
            change({ type: 'when', date: currentTarget.value });
          }}
          {...typing}
        />
        <TextInput
          label="Time"
          placeholder="e.g. 9:30"
          error={when.kind === 'past' && draft.time !== ''}
          w={130}
          value={draft.time}
          onChange={({ currentTarget }) => {
            isDateLast.current = false;
            change({ type: 'when', time: currentTarget.value });
          }}
          {...typing}
        />
      </Group>
      {when.kind !== 'at' && (
        <SuggestedTimes
          channels={draft.channels}
          timeZone={timeZone}
          onTime={(time) => change({ type: 'when', ...time })}
        />
      )}
      <Meaning when={when} timeZone={timeZone} />
    </Stack>
  );
});

function Meaning({ when, timeZone }: { when: When; timeZone: string }) {
  const [isAsking, setAsking] = useState(false);
  const { locale, hour12 } = useTimePreferences();
  const shown = (at: Date, zone: string) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'full',
      timeStyle: 'short',
      timeZone: zone,
      ...(hour12 !== undefined && { hour12 }),
    }).format(at);
  if (when.kind === 'none') {
    return (
      <Text size="sm" c="dimmed">
        Times are in {zoneName(timeZone)}.
      </Text>
    );
  }
  if (when.kind !== 'at') {
    return (
      <Text size="sm" c={when.kind === 'past' ? 'red' : 'dimmed'} role={when.kind === 'past' ? 'alert' : undefined}>
        {when.message}
      </Text>
    );
  }
  return (
    <Stack gap={4}>
      <Group gap={6}>
        <Group gap={6} wrap="nowrap" align="flex-start">
          <IconCalendarClock size={16} aria-hidden className={classes.beside} />
          <Text size="sm">
            {shown(when.at, timeZone)} ({zoneName(timeZone)})
          </Text>
        </Group>
        {!isAsking && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconWorld size={14} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            Show in another time zone
          </Button>
        )}
      </Group>
      {isAsking && (
        <Suspense fallback={null}>
          <OtherZone timeIn={(zone) => shown(when.at, zone)} />
        </Suspense>
      )}
      {when.note && (
        <Text size="sm" role="status">
          {when.note}
        </Text>
      )}
    </Stack>
  );
}

const zoneName = (zone: string) => zone.replaceAll('_', ' ');
