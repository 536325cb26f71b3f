import { useDroppable } from '@dnd-kit/core';
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { newPostHref } from '../../../lib/brands/brand.ts';
import { dateAndTimeOf } from '../../../lib/time/new-post-time.ts';
import { AddLink } from '../adding/add-link.tsx';
import { useCalendar } from '../calendar-context.ts';
import type { DropTime } from './dragged.ts';
import classes from './place.module.css';

/** A day or hour cell: accepts dropped posts, and opens the composer on click. By keyboard, use its "+". */
export function Place({
  id,
  label,
  className,
  isPast,
  isOutside,
  newPostAt,
  addName,
  index,
  dropTime,
  children,
}: {
  id: string;
  label: string;
  className?: string | undefined;
  isPast: boolean;
  isOutside?: boolean;
  /** Null if no post can be created here. */
  newPostAt: Date | null;
  addName: string;
  /** The cell's number, counted row by row. */
  index: number;
  dropTime: DropTime;
  children: ReactNode;
}) {
  const router = useRouter();
  const { preferences } = useCalendar();
  const { setNodeRef, isOver } = useDroppable({ id, data: { dropTime } });
  const write = ({ target, currentTarget, defaultPrevented }: MouseEvent) => {
    if (defaultPrevented || target !== currentTarget || !newPostAt) return;
    void router.navigate({ href: newPostHref(dateAndTimeOf(newPostAt, preferences.zone)) });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users have the "+".
    <section
      ref={setNodeRef}
      aria-label={label}
      className={[classes.place, className].join(' ')}
      data-over={isOver || undefined}
      data-past={isPast || undefined}
      data-outside={isOutside || undefined}
      data-open={newPostAt !== null || undefined}
      onClick={write}
    >
      {children}
      {newPostAt && <AddLink at={newPostAt} name={addName} index={index} />}
    </section>
  );
}
