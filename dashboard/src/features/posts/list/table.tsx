// biome-ignore-all lint/a11y/useSemanticElements: rows of a table element can't become cards on a phone.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells of a table aren't focusable.
import { Checkbox, Loader, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useBrandOf } from '../../../lib/brands/use-brands.ts';
import { count } from '../../../lib/posts/post-summary.ts';
import { useStranded } from '../../../lib/posts/use-stranded.ts';
import type { OnBulk } from '../bulk/bulk-action.ts';
import { BulkBar } from './bulk-bar.tsx';
import { type Sorting, type SortKey, sortKeys } from './filters.ts';
import type { PostRow } from './rows.ts';
import { noSelection, type Selection, toggled } from './selection.ts';
import classes from './table.module.css';
import { columns } from './table-columns.ts';
import { PostTableRow } from './table-row.tsx';

/** A virtualized table, so that thousands of posts scroll as smoothly as ten. */
export function PostTable({
  rows,
  sorting,
  isAllBrands,
  onSort,
  onBulk,
  hasMore,
  onEnd,
}: {
  rows: readonly PostRow[];
  sorting: Sorting;
  isAllBrands: boolean;
  onSort: (key: SortKey) => void;
  onBulk: OnBulk;
  hasMore: boolean;
  onEnd: () => void;
}) {
  const brandOf = useBrandOf();
  const strandedNote = useStranded();
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => 52,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => rows[index]!.postGroupId,
  });
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last > rows.length - 30) onEnd();
  }, [hasMore, last, rows.length, onEnd]);

  const [chosen, setChosen] = useState<Selection>(noSelection);
  const ids = useMemo(() => rows.map(({ postGroupId }) => postGroupId), [rows]);
  // A selected post may have been deleted.
  const selected = useMemo(() => rows.filter(({ postGroupId }) => chosen.ids.has(postGroupId)), [rows, chosen]);
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
              onChange={() => setChosen(isAll ? noSelection : { ids: new Set(ids), last: null })}
            />
          </span>
          <span role="columnheader">Post</span>
          <span role="columnheader">Networks</span>
          {sortKeys.map((key) => (
            <SortHeading
              key={key}
              column={key}
              sorting={sorting}
              onSort={isAllBrands && key === 'updated' ? null : onSort}
            />
          ))}
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
              isSelected={chosen.ids.has(rows[index]!.postGroupId)}
              brand={brandOf(rows[index]!)}
              stranded={strandedNote(rows[index]!)}
              onToggle={(id, isRange) => setChosen((before) => toggled(before, id, ids, isRange))}
            />
          ))}
        </div>
      </div>
      {hasMore && <Loader size="sm" mx="auto" my="md" display="block" aria-label="Loading more posts" />}
      <p className={classes.total} role="status">
        {hasMore ? `${count(rows.length, 'post')} loaded` : count(rows.length, 'post')}
      </p>
      {selected.length > 0 && <BulkBar posts={selected} onBulk={onBulk} onClear={() => setChosen(noSelection)} />}
    </>
  );
}

/** `onSort`: null if the list can't be sorted by it. */
function SortHeading({
  column,
  sorting: { sort, order },
  onSort,
}: {
  column: SortKey;
  sorting: Sorting;
  onSort: ((key: SortKey) => void) | null;
}) {
  const isSorted = column === sort;
  const Icon = isSorted ? (order === 'asc' ? IconArrowUp : IconArrowDown) : IconArrowsSort;
  return (
    <span
      role="columnheader"
      className={classes[column]}
      aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      {onSort ? (
        <UnstyledButton className={classes.sort} data-sorted={isSorted || undefined} onClick={() => onSort(column)}>
          {columns[column]}
          <Icon size={14} aria-hidden />
        </UnstyledButton>
      ) : (
        columns[column]
      )}
    </span>
  );
}
