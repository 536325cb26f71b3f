import { ActionIcon, Loader, Popover } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { type DateKey, dateKeyOf } from '../../../lib/time/time.ts';

const DayPicker = lazy(() => import('./day-picker.tsx'));

/** "Pick a day": a calendar next to the date field. */
export function DayButton({
  chosen,
  timeZone,
  onPick,
}: {
  chosen: DateKey | null;
  timeZone: string;
  onPick: (day: DateKey) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const pick = (day: DateKey) => {
    setOpen(false);
    onPick(day);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="top-end" withinPortal shadow="md">
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Pick a day"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconCalendar size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Pick a day" p="xs">
        <Suspense fallback={<Loader size="sm" m="md" />}>
          <DayPicker chosen={chosen} today={dateKeyOf(new Date(), timeZone)} onPick={pick} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
