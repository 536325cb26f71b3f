// biome-ignore-all lint/a11y/useSemanticElements: rows of a table element can't become cards on a phone.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells of a table aren't focusable.
import { Checkbox, Loader } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { count } from '../../../lib/post-summary.ts';
import { BulkBar } from './bulk-bar.tsx';
import type { PostRow } from './queries.ts';
import classes from './table.module.css';
import { PostTableRow } from './table-row.tsx';

/** A virtualized table, so that thousands of posts scroll as smoothly as ten. */
export function PostTable({ rows, hasMore, onEnd }: { rows: readonly PostRow[]; hasMore: boolean; onEnd: () => void }) {
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 64,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => rows[index]!.postGroupId,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last > rows.length - 30) onEnd();
  }, [hasMore, last, rows.length, onEnd]);

  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // A selected post may have been deleted.
  const selected = useMemo(() => rows.filter(({ postGroupId }) => chosen.has(postGroupId)), [rows, chosen]);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const isAll = selected.length === rows.length;
  return (
    <>
      <div role="table" aria-label="Posts" aria-rowcount={hasMore ? -1 : rows.length + 1} className={classes.table}>
        <div role="row" aria-rowindex={1} className={classes.head}>
          <span role="columnheader">
            <Checkbox
              aria-label="Select all"
              checked={isAll}
              indeterminate={selected.length > 0 && !isAll}
              onChange={() => setChosen(isAll ? new Set() : new Set(rows.map(({ postGroupId }) => postGroupId)))}
            />
          </span>
          <span role="columnheader">Post</span>
          <span role="columnheader">Networks</span>
          <span role="columnheader">Time</span>
          <span role="columnheader">Status</span>
        </div>
        <div ref={body} role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start, key }) => (
            <PostTableRow
              key={key}
              post={rows[index]!}
              index={index}
              measure={virtualizer.measureElement}
              offset={start - top}
              isSelected={chosen.has(rows[index]!.postGroupId)}
              onToggle={toggle}
            />
          ))}
        </div>
      </div>
      {hasMore && <Loader size="sm" mx="auto" my="md" display="block" aria-label="Loading more posts" />}
      <p className={classes.total} role="status">
        {hasMore ? `${count(rows.length, 'post')} loaded` : count(rows.length, 'post')}
      </p>
      {selected.length > 0 && <BulkBar posts={selected} onDone={() => setChosen(new Set())} />}
    </>
  );
}
