import { Tabs } from '@mantine/core';
import { IconFileImport, IconListDetails, IconSearchOff } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type PostFilters, type StatusTab, tabs } from './filters.ts';
import classes from './posts-page.module.css';
import { draftsQuery, matchesDraft, postListQuery, rowOfDraft } from './queries.ts';
import { PostTable } from './table.tsx';
import { PostTableSkeleton } from './table-skeleton.tsx';

/** All posts, with search, filters and bulk actions. */
export function PostsPage({ filters, onFilter }: { filters: PostFilters; onFilter: (filters: PostFilters) => void }) {
  const tab = filters.status ?? 'all';
  const choose = (value: string | null) => {
    const { status: _, ...others } = filters;
    onFilter(value && value !== 'all' ? { ...others, status: value as Exclude<StatusTab, 'all'> } : others);
  };
  return (
    <>
      <PageHeader title="Posts" about="Your drafts, scheduled and published posts.">
        <ButtonLink to="/posts/import" variant="default" leftSection={<IconFileImport size={18} aria-hidden />}>
          Import
        </ButtonLink>
      </PageHeader>
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
          <PostList filters={filters} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function PostList({ filters }: { filters: PostFilters }) {
  const list = useInfiniteQuery(postListQuery(filters));
  const drafts = useQuery({ ...draftsQuery, enabled: filters.status === 'draft' });
  const rows = useMemo(() => {
    const begun = filters.status === 'draft' ? (drafts.data ?? []).map(rowOfDraft) : [];
    const posts = list.data?.pages.flatMap((page) => page.posts) ?? [];
    return [...begun.filter((row) => matchesDraft(row, filters)), ...posts];
  }, [list.data, drafts.data, filters]);

  if (list.isPending) return <PostTableSkeleton />;
  if (list.error && rows.length === 0) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (rows.length === 0) return <NoPosts filters={filters} />;
  return (
    <PostTable
      key={JSON.stringify(filters)}
      rows={rows}
      hasMore={list.hasNextPage}
      onEnd={() => {
        if (!list.isFetching && list.hasNextPage) void list.fetchNextPage();
      }}
    />
  );
}

const empty: Record<StatusTab, { title: string; about: string }> = {
  all: { title: 'No posts yet', about: 'Posts you write, schedule and publish appear here.' },
  draft: { title: 'No drafts', about: 'Posts you haven’t scheduled yet appear here.' },
  scheduled: { title: 'No scheduled posts', about: 'Posts waiting for their scheduled time appear here.' },
  published: { title: 'No published posts yet', about: 'Posts that are live on your networks appear here.' },
  failed: { title: 'No failed posts', about: 'Posts that couldn’t be published appear here with the reason.' },
};

function NoPosts({ filters: { status, q, channel } }: { filters: PostFilters }) {
  if (q || channel) {
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
