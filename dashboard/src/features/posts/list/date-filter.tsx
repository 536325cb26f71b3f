import { Button, Loader, Popover, Select } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { addDays, type DateKey, dateKeyOf, formatDateKey } from '../../../lib/time/time.ts';
import { customDays, type Days, daysOf, presets, writeCustom } from './dates.ts';
import classes from './filter-bar.module.css';

const DayPicker = lazy(() => import('../../composer/schedule/day-picker.tsx'));

const any = 'any';
const custom = 'custom';

/** A range of days: usual ones by name, others from one day to another. */
export function DateFilter({ value, onChange }: { value: string | null; onChange: (dates: string | null) => void }) {
  const { zone } = useTimePreferences();
  const today = dateKeyOf(new Date(), zone);
  const own = value === null ? null : customDays(value);
  const choose = (chosen: string | null) => {
    if (chosen === null || chosen === any) return onChange(null);
    if (chosen !== custom) return onChange(chosen);
    // Begins with the days that the list shows.
    onChange(writeCustom(value === null ? { from: addDays(today, -29), to: today } : daysOf(value, today)));
  };
  const change = (days: Days) => {
    const isReversed = days.from && days.to && days.from > days.to;
    onChange(writeCustom(isReversed ? { from: days.to, to: days.from } : days));
  };
  return (
    <>
      <Select
        aria-label="Date"
        className={classes.choice}
        data={[{ value: any, label: 'Any date' }, ...presets, { value: custom, label: 'Custom range' }].map(
          ({ value: key, label }) => ({ value: key, label }),
        )}
        value={own ? custom : (value ?? any)}
        onChange={choose}
        allowDeselect={false}
      />
      {own && (
        <>
          <DayField label="From" value={own.from} today={today} onChange={(from) => change({ ...own, from })} />
          <DayField label="To" value={own.to} today={today} onChange={(to) => change({ ...own, to })} />
        </>
      )}
    </>
  );
}

function DayField({
  label,
  value,
  today,
  onChange,
}: {
  label: string;
  value: DateKey | null;
  today: DateKey;
  onChange: (day: DateKey | null) => void;
}) {
  const { locale } = useTimePreferences();
  const [isOpen, setOpen] = useState(false);
  const shown = value ? formatDateKey(value, locale, { day: 'numeric', month: 'short', year: 'numeric' }) : 'Any';
  const pick = (day: DateKey | null) => {
    setOpen(false);
    onChange(day);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="bottom-start" shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          justify="flex-start"
          fw={400}
          className={classes.day}
          leftSection={<IconCalendar size={16} aria-hidden />}
          aria-label={`${label}: ${shown}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {label} {shown}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} p="xs">
        <Suspense fallback={<Loader size="sm" m="md" />}>
          <DayPicker chosen={value} today={today} isPastOffered onPick={pick} />
        </Suspense>
        {value && (
          <Button variant="subtle" size="compact-sm" mt={4} onClick={() => pick(null)}>
            Any day
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
