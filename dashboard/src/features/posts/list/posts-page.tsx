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

/** Every post, to be searched, filtered and changed together. */
export function PostsPage({ filters, onFilter }: { filters: PostFilters; onFilter: (filters: PostFilters) => void }) {
  const tab = filters.status ?? 'all';
  const choose = (value: string | null) => {
    const { status: _, ...others } = filters;
    onFilter(value && value !== 'all' ? { ...others, status: value as Exclude<StatusTab, 'all'> } : others);
  };
  return (
    <>
      <PageHeader title="Posts" about="Everything you wrote, planned and published.">
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
  if (rows.length === 0) return <Nothing filters={filters} />;
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
  all: { title: 'No posts yet', about: 'What you write, schedule and publish is listed here.' },
  draft: { title: 'No drafts', about: 'What you begin to write and do not schedule is kept here.' },
  scheduled: { title: 'Nothing is scheduled', about: 'Posts that wait for their time are listed here.' },
  published: { title: 'Nothing is published yet', about: 'Posts that are on their networks are listed here.' },
  failed: { title: 'Nothing failed', about: 'A post that a network refuses is listed here, with the reason.' },
};

function Nothing({ filters: { status, q, channel } }: { filters: PostFilters }) {
  if (q || channel) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title="No post matches"
        action={
          <ButtonLink to="/posts" search={status ? { status } : {}} variant="default">
            Clear the filters
          </ButtonLink>
        }
      >
        No post {status && 'in this state '}
        {q && 'has these words'}
        {q && channel && ' and '}
        {channel && 'goes to this channel'}.
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
