import { Skeleton } from '@mantine/core';
import type { DateKey } from '../../lib/time.ts';
import type { View } from './calendar-range.ts';
import hours from './hours-view.module.css';
import list from './list-view.module.css';
import month from './month-view.module.css';
import place from './place.module.css';

/** The lines of the view, so that nothing jumps when the posts come. */
export function CalendarSkeleton({ view, days }: { view: View; days: readonly DateKey[] }) {
  return (
    <div role="status" aria-busy="true" aria-label="Loading the calendar">
      {view === 'month' && <Month days={days} />}
      {(view === 'week' || view === 'day') && <Hours days={days} />}
      {view === 'list' && <List />}
    </div>
  );
}

/** How many posts a day seems to have. */
const tilesOn = (index: number) => [1, 2, 0, 1, 2, 1, 0, 2, 1][index % 9]!;

/** The hour at which a day of the week seems to have a post. */
const tileHours = [2, 0, 4, 1, 6, 3, 8];

function Month({ days }: { days: readonly DateKey[] }) {
  return (
    <div className={month.month}>
      {days.slice(0, 7).map((day) => (
        <div key={day} className={month.weekday}>
          <Skeleton height={12} width={26} my={3} />
        </div>
      ))}
      {days.map((day, index) => (
        <div key={day} className={`${place.place} ${month.day}`}>
          <Skeleton height={14} width={14} m={5} />
          {lines(tilesOn(index)).map((line) => (
            <Skeleton key={line} height={22} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Hours({ days }: { days: readonly DateKey[] }) {
  const isDay = days.length === 1;
  return (
    <div className={hours.frame}>
      <div className={hours.grid} style={{ gridTemplateColumns: hourColumns(days.length) }}>
        {!isDay && <div className={hours.corner} />}
        {!isDay &&
          days.map((day) => (
            <div key={day} className={hours.dayHead}>
              <Skeleton height={16} width={48} my={3} mx="auto" />
            </div>
          ))}
        {lines(12).flatMap((hour) => [
          <div key={hour} className={hours.hour}>
            <Skeleton height={10} width={30} my={3} ms="auto" />
          </div>,
          ...days.map((day, index) => (
            <div key={`${day} ${hour}`} className={`${place.place} ${hours.place}`}>
              {hour === tileHours[index] && <Skeleton height={22} />}
            </div>
          )),
        ])}
      </div>
    </div>
  );
}

function List() {
  return lines(8).map((line) => (
    <div key={line} className={list.post}>
      <Skeleton height={14} width={40} mr={24} />
      <Skeleton height={14} width={`${58 - (line % 3) * 14}%`} />
    </div>
  ));
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => index);

/** The hours of the clock, and one column for each day. */
export const hourColumns = (days: number) => `56px repeat(${days}, minmax(${days === 1 ? 0 : 92}px, 1fr))`;
