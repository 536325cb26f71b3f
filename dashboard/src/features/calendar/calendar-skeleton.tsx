import { Skeleton } from '@mantine/core';
import type { View } from './calendar-range.ts';

export function CalendarSkeleton({ view }: { view: View }) {
  return (
    <div role="status" aria-busy="true" aria-label="Loading the calendar">
      <Skeleton height={view === 'list' ? 320 : 720} />
    </div>
  );
}
