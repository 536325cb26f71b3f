import { ActionIcon, Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import {
  addDays,
  addMonths,
  type DateKey,
  formatDateKey,
  formatLongDate,
  startOfMonth,
  startOfWeek,
} from '../../../lib/time/time.ts';
import classes from './day-picker.module.css';

const daysOfKey: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** A month view to pick a day. Arrow keys move by a day or week, Page Up and Page Down by a month. */
export default function DayPicker({
  chosen,
  today,
  isPastOffered = false,
  onPick,
}: {
  chosen: DateKey | null;
  today: DateKey;
  isPastOffered?: boolean;
  onPick: (day: DateKey) => void;
}) {
  const { locale, weekStart } = useTimePreferences();
  const isOffered = (day: DateKey) => isPastOffered || day >= today;
  const [focused, setFocused] = useState(chosen && isOffered(chosen) ? chosen : today);
  const grid = useRef<HTMLDivElement>(null);
  const month = focused.slice(0, 7);
  const first = startOfWeek(startOfMonth(focused), weekStart);
  const shown = Array.from({ length: 42 }, (_, index) => addDays(first, index));
  const move = (to: DateKey) => setFocused(isOffered(to) ? to : today);
  // Focus the day when the picker opens and after each move by keyboard.
  const isMoved = useRef(true);
  useEffect(() => {
    if (isMoved.current)
      grid.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus({ preventScroll: true });
    isMoved.current = false;
  }, [focused]);
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const months = key === 'PageUp' ? -1 : key === 'PageDown' ? 1 : 0;
    const days = daysOfKey[key] ?? 0;
    if (!months && !days) return;
    event.preventDefault();
    isMoved.current = true;
    move(months ? addMonths(focused, months) : addDays(focused, days));
  };
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <ActionIcon
          {...monthButton}
          aria-label="Previous month"
          disabled={!isPastOffered && month <= today.slice(0, 7)}
          onClick={() => move(addMonths(focused, -1))}
        >
          <IconChevronLeft size={18} aria-hidden />
        </ActionIcon>
        <Text size="sm" fw={600} aria-live="polite">
          {formatDateKey(focused, locale, { month: 'long', year: 'numeric' })}
        </Text>
        <ActionIcon {...monthButton} aria-label="Next month" onClick={() => move(addMonths(startOfMonth(focused), 1))}>
          <IconChevronRight size={18} aria-hidden />
        </ActionIcon>
      </Group>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the day buttons inside. */}
      <div ref={grid} className={classes.days} onKeyDown={onKeyDown}>
        {shown.slice(0, 7).map((day) => (
          <span key={day} className={classes.weekday} aria-hidden>
            {formatDateKey(day, locale, { weekday: 'short' })}
          </span>
        ))}
        {shown.map((day) => (
          <UnstyledButton
            key={day}
            className={classes.day}
            data-day={day}
            data-autofocus={day === focused || undefined}
            data-outside={!day.startsWith(month) || undefined}
            data-chosen={day === chosen || undefined}
            aria-pressed={day === chosen}
            aria-current={day === today ? 'date' : undefined}
            aria-label={formatLongDate(day, { locale })}
            disabled={!isOffered(day)}
            tabIndex={day === focused ? 0 : -1}
            onClick={() => onPick(day)}
          >
            {Number(day.slice(8))}
          </UnstyledButton>
        ))}
      </div>
    </div>
  );
}

const monthButton = { variant: 'subtle', color: 'gray', size: 'lg', className: classes.monthButton };
