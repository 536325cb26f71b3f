import { Button, Stack } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { LoadingRows } from '../loading-rows.tsx';
import { FilterBar } from './filter-bar.tsx';
import { isFiltered, type OnFilter, type RequestFilters } from './filters.ts';
import { requestsQuery } from './queries.ts';
import { RequestPanel } from './request-panel.tsx';
import { RequestTable } from './request-table.tsx';
import { StoreBodies } from './store-bodies.tsx';

/** The latest calls made with the user's keys. */
export function RequestsPage({ filters, onFilter }: { filters: RequestFilters; onFilter: OnFilter }) {
  const { call, ...others } = filters;
  const list = useInfiniteQuery(requestsQuery(filters));
  const { requests, keys = [], paths = [], bodiesUntil } = list.data ?? {};
  return (
    <>
      <PageHeader title="Requests" about="The last 1,000 API calls made with your keys. New calls appear live.">
        {bodiesUntil !== undefined && <StoreBodies until={bodiesUntil} />}
      </PageHeader>
      <FilterBar filters={filters} keys={keys} paths={paths} onFilter={onFilter} />
      {!requests && list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {!requests && !list.error && <LoadingRows label="Loading requests" rows={8} />}
      {requests?.length === 0 && <NoRequests areFiltered={isFiltered(filters)} onReset={() => onFilter({})} />}
      {requests && requests.length > 0 && (
        <Stack>
          <RequestTable requests={requests} onOpen={({ _id }) => onFilter({ ...others, call: _id })} />
          {list.hasNextPage && (
            <Button
              variant="default"
              mx="auto"
              loading={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              Show more
            </Button>
          )}
        </Stack>
      )}
      <RequestPanel callId={call} onClose={() => onFilter(others)} />
    </>
  );
}

function NoRequests({ areFiltered, onReset }: { areFiltered: boolean; onReset: () => void }) {
  if (areFiltered) {
    return (
      <EmptyState
        icon={IconPlugConnected}
        title="No matching requests"
        action={
          <Button variant="default" onClick={onReset}>
            Clear filters
          </Button>
        }
      >
        None of the last 1,000 API calls match. New ones appear here live.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconPlugConnected}
      title="No requests yet"
      action={<ButtonLink to="/developers/keys">Go to keys</ButtonLink>}
    >
      Requests from your apps and agents appear here within seconds.
    </EmptyState>
  );
}
