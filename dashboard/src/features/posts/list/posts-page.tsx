import { Tabs } from '@mantine/core';
import { IconFileImport, IconListDetails, IconSearchOff } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { ManageLabels } from '../../../components/labels/manage-labels.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { allBrands, useBrand } from '../../../lib/brands/brand.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { OtherBrandsNotice } from '../../attention/other-brands-notice.tsx';
import type { BulkAction, OnBulk } from '../bulk/bulk-action.ts';
import { useDeletion } from '../deletion/use-deletion.tsx';
import { FilterBar } from './filter-bar.tsx';
import {
  contextOf,
  isFiltered,
  listInputOf,
  type OnFilter,
  type PostFilters,
  type StatusTab,
  sortedBy,
  sortingOf,
  tabs,
} from './filters.ts';
import classes from './posts-page.module.css';
import { draftsQuery, postListQuery } from './queries.ts';
import { matchesDraft, type PostRow, rowOfDraft, withDrafts } from './rows.ts';
import { PostTable } from './table.tsx';
import { PostTableSkeleton } from './table-skeleton.tsx';

const BulkDialog = lazy(() => import('../bulk/bulk-dialog.tsx'));

interface Open {
  number: number;
  action: BulkAction;
  posts: readonly PostRow[];
  onDone: () => void;
}

/** All posts, with search, filters and bulk actions. */
export function PostsPage({ filters, onFilter }: { filters: PostFilters; onFilter: OnFilter }) {
  const tab = filters.status ?? 'all';
  // The order belongs to the tab.
  const choose = (value: string | null) => {
    const { status: _, sort: __, order: ___, ...others } = filters;
    onFilter(value && value !== 'all' ? { ...others, status: value as Exclude<StatusTab, 'all'> } : others);
  };
  // Here, because the posts may leave the list while a dialog about them is open.
  const deletion = useDeletion();
  const [open, setOpen] = useState<Open | null>(null);
  const onBulk: OnBulk = (action, posts, onDone) => {
    if (action === 'delete') deletion.remove(posts, onDone);
    else setOpen((before) => ({ number: (before?.number ?? 0) + 1, action, posts, onDone }));
  };
  return (
    <>
      <PageHeader title="Posts" about="Your drafts, scheduled and published posts.">
        <ManageLabels />
        <ButtonLink to="/posts/import" variant="default" leftSection={<IconFileImport size={18} aria-hidden />}>
          Import
        </ButtonLink>
      </PageHeader>
      <OtherBrandsNotice page="/posts" />
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List mb="md" className={classes.tabs}>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} className={classes.tab}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <FilterBar filters={filters} onFilter={onFilter} />
        <Tabs.Panel value={tab}>
          <PostList filters={filters} onFilter={onFilter} onBulk={onBulk} />
        </Tabs.Panel>
      </Tabs>
      {deletion.dialog}
      <Suspense>
        {open && <BulkDialog key={open.number} action={open.action} posts={open.posts} onDone={open.onDone} />}
      </Suspense>
    </>
  );
}

function PostList({ filters, onFilter, onBulk }: { filters: PostFilters; onFilter: OnFilter; onBulk: OnBulk }) {
  const { zone } = useTimePreferences();
  const isAllBrands = useBrand() === allBrands;
  const sorting = sortingOf(filters, isAllBrands);
  const context = contextOf(zone, isAllBrands);
  const list = useInfiniteQuery(postListQuery(filters, context));
  const drafts = useQuery({ ...draftsQuery, enabled: filters.status === 'draft' });
  const { sort, order } = sorting;
  const rows = useMemo(() => {
    const begun = filters.status === 'draft' ? (drafts.data ?? []).map(rowOfDraft) : [];
    const posts = list.data?.pages.flatMap((page) => page.posts) ?? [];
    return withDrafts(
      begun.filter((row) => matchesDraft(row, filters)),
      posts,
      { sort, order },
      list.hasNextPage,
    );
  }, [list.data, list.hasNextPage, drafts.data, filters, sort, order]);

  if (list.isPending) return <PostTableSkeleton />;
  if (list.error && rows.length === 0) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (rows.length === 0) return <NoPosts filters={filters} />;
  return (
    <>
      {list.error && !list.data && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      <PostTable
        key={JSON.stringify(listInputOf(filters, context))}
        rows={rows}
        sorting={sorting}
        isAllBrands={isAllBrands}
        onSort={(key) => onFilter({ ...filters, ...sortedBy(key, sorting) })}
        onBulk={onBulk}
        hasMore={list.hasNextPage}
        onEnd={() => {
          if (!list.isFetching && list.hasNextPage) void list.fetchNextPage();
        }}
      />
    </>
  );
}

const empty: Record<StatusTab, { title: string; about: string }> = {
  all: { title: 'No posts yet', about: 'Posts you write, schedule and publish appear here.' },
  draft: { title: 'No drafts', about: 'Posts you haven’t scheduled yet appear here.' },
  scheduled: { title: 'No scheduled posts', about: 'Posts waiting for their scheduled time appear here.' },
  published: { title: 'No published posts yet', about: 'Posts that are live on your networks appear here.' },
  failed: { title: 'No failed posts', about: 'Posts that couldn’t be published appear here with the reason.' },
};

function NoPosts({ filters }: { filters: PostFilters }) {
  const { status, q } = filters;
  if (isFiltered(filters)) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title="No matching posts"
        action={
          <ButtonLink to="/posts" search={status ? { status } : {}} variant="default">
            Clear filters
          </ButtonLink>
        }
      >
        Try other {q ? 'search terms' : 'filters'} or clear the filters.
      </EmptyState>
    );
  }
  const { title, about } = empty[status ?? 'all'];
  return (
    <EmptyState icon={IconListDetails} title={title} action={<ButtonLink to="/compose">Write a post</ButtonLink>}>
      {about}
    </EmptyState>
  );
}
