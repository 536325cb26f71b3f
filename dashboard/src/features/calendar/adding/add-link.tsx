import { IconPlus } from '@tabler/icons-react';
import { LightLink } from '../../../components/light-link.tsx';
import { newPostHref } from '../../../lib/brands/brand.ts';
import { dateAndTimeOf } from '../../../lib/time/new-post-time.ts';
import { useCalendar } from '../calendar-context.ts';
import classes from './add-link.module.css';

/** The "+" of a day or hour. `index` is its cell, counted row by row; see `use-add-keys.ts`. */
export function AddLink({ at, name, index }: { at: Date; name: string; index: number }) {
  const { preferences } = useCalendar();
  return (
    <LightLink
      href={newPostHref(dateAndTimeOf(at, preferences.zone))}
      className={classes.add}
      draggable={false}
      data-add={index}
      tabIndex={-1}
      aria-label={name}
      title={name}
    >
      <IconPlus size={16} aria-hidden />
    </LightLink>
  );
}
