import type { CSSProperties } from 'react';
import type { DateKey } from '../../../lib/time/time.ts';
import type { View } from '../calendar-range.ts';
import place from '../moving/place.module.css';
import hours from './hours.module.css';
import list from './list.module.css';
import month from './month.module.css';
import classes from './skeleton.module.css';

/** A placeholder with the layout of the view, so that nothing jumps when posts load. */
export function CalendarSkeleton({ view, days }: { view: View; days: readonly DateKey[] }) {
  return (
    <div role="status" className={classes.skeleton} aria-busy="true" aria-label="Loading calendar">
      {view === 'month' && <Month days={days} />}
      {(view === 'week' || view === 'day') && <Hours days={days} />}
      {view === 'list' && <List />}
    </div>
  );
}

/** Placeholder posts per day. */
const tilesOn = (index: number) => [1, 2, 0, 1, 2, 1, 0, 2, 1][index % 9]!;

/** The hour of the placeholder post on each weekday. */
const tileHours = [2, 0, 4, 1, 6, 3, 8];

function Month({ days }: { days: readonly DateKey[] }) {
  return (
    <div className={month.month}>
      {days.slice(0, 7).map((day) => (
        <div key={day} className={month.weekday}>
          <Bone height={12} width={26} marginBlock={3} />
        </div>
      ))}
      {days.map((day, index) => (
        <div key={day} className={`${place.place} ${month.day}`}>
          <Bone height={14} width={14} margin={5} />
          {lines(tilesOn(index)).map((line) => (
            <Bone key={line} height={22} />
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
              <Bone height={16} width={48} margin="3px auto" />
            </div>
          ))}
        {lines(12).flatMap((hour) => [
          <div key={hour} className={hours.hour}>
            <Bone height={10} width={30} marginBlock={3} marginInlineStart="auto" />
          </div>,
          ...days.map((day, index) => (
            <div key={`${day} ${hour}`} className={`${place.place} ${hours.place}`}>
              {hour === tileHours[index] && <Bone height={22} />}
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
      <Bone height={14} width={40} marginInlineEnd={24} />
      <Bone height={14} width={`${58 - (line % 3) * 14}%`} />
    </div>
  ));
}

/** There are about a hundred, too many for Mantine's skeletons with their individual styles and animations. */
const Bone = (style: CSSProperties) => <div className={classes.bone} style={style} />;

const lines = (count: number) => Array.from({ length: count }, (_, index) => index);

/** One column for the hours and one per day. */
export const hourColumns = (days: number) => `56px repeat(${days}, minmax(${days === 1 ? 0 : 92}px, 1fr))`;
