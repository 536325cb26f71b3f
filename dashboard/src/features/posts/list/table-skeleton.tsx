import { Skeleton } from '@mantine/core';
import classes from './table.module.css';

export function PostTableSkeleton() {
  return (
    <div aria-busy="true" role="status" aria-label="Loading posts" className={classes.skeleton}>
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical.
        <div key={index} className={classes.skeletonRow}>
          <Skeleton height={20} width={20} />
          <Skeleton height={14} width={`${70 - (index % 3) * 14}%`} />
        </div>
      ))}
    </div>
  );
}
