import { type ComponentProps, useRef } from 'react';
import { StatusBadge } from '../status-badge.tsx';
import classes from './arriving-status.module.css';

/** The status of a post on a network. Its tick appears with a short motion if the post is published while one watches. */
export function ArrivingStatus({
  status,
  before,
  ...props
}: ComponentProps<typeof StatusBadge> & {
  /** Default: the status when this was first shown. */
  before?: string;
}) {
  const first = useRef(before ?? status);
  const isNews = status === 'published' && first.current !== 'published';
  return <StatusBadge status={status} data-arrived={isNews || undefined} className={classes.status} {...props} />;
}
