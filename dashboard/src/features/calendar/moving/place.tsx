import { useDroppable } from '@dnd-kit/core';
import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { dateAndTimeOf } from '../../../lib/time/new-post-time.ts';
import { useCalendar } from '../calendar-context.ts';
import type { DropTime } from './drag.tsx';
import classes from './place.module.css';

/** A day or hour cell: accepts dropped posts, and opens the composer on click. By keyboard, use "New post". */
export function Place({
  id,
  label,
  className,
  isPast,
  isOutside,
  isOpen,
  newPostAt,
  dropTime,
  children,
}: {
  id: string;
  label: string;
  className?: string | undefined;
  isPast: boolean;
  isOutside?: boolean;
  /** Whether a post can be created here. */
  isOpen: boolean;
  newPostAt(): Date | null;
  dropTime: DropTime;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  const { preferences } = useCalendar();
  const { setNodeRef, isOver } = useDroppable({ id, data: { dropTime } });
  const write = ({ target, currentTarget, defaultPrevented }: MouseEvent) => {
    if (defaultPrevented || target !== currentTarget) return;
    const at = newPostAt();
    if (at) void navigate({ to: '/compose', search: dateAndTimeOf(at, preferences.zone) });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboard users have a button in the day view and "New post".
    <section
      ref={setNodeRef}
      aria-label={label}
      className={[classes.place, className].join(' ')}
      data-over={isOver || undefined}
      data-past={isPast || undefined}
      data-outside={isOutside || undefined}
      data-open={isOpen || undefined}
      onClick={write}
    >
      {children}
    </section>
  );
}
