import type { LoggedRequest } from '@crier/client';
import { Badge, Button, Code, Group, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { IconPlugConnected, IconRefresh } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { CopyIcon } from '../../../components/copy-value.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { StackTable } from '../../../components/stack-table.tsx';
import { At } from '../../../components/when.tsx';
import { LoadingRows } from '../loading-rows.tsx';
import { type RequestFilters, requestsQuery } from './queries.ts';

/** The latest calls made with the user's keys. */
export function RequestsPage({
  filters,
  onFilter,
}: {
  filters: RequestFilters;
  onFilter: (filters: RequestFilters) => void;
}) {
  const list = useInfiniteQuery(requestsQuery(filters));
  const requests = list.data?.pages.flatMap((page) => page.requests);
  return (
    <>
      <PageHeader title="Requests" about="Recent API calls made with your keys, newest first.">
        <SegmentedControl
          aria-label="Filter requests"
          value={filters.errors ? 'errors' : 'all'}
          onChange={(value) => onFilter(value === 'errors' ? { errors: true } : {})}
          data={[
            { value: 'all', label: 'All' },
            { value: 'errors', label: 'Errors' },
          ]}
        />
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={list.isRefetching}
          onClick={() => void list.refetch()}
        >
          Refresh
        </Button>
      </PageHeader>
      {!requests && list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {!requests && !list.error && <LoadingRows label="Loading requests" rows={8} />}
      {requests?.length === 0 && <NoRequests onlyErrors={filters.errors ?? false} />}
      {requests && requests.length > 0 && (
        <Stack>
          <RequestTable requests={requests} />
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
    </>
  );
}

function RequestTable({ requests }: { requests: readonly LoggedRequest[] }) {
  return (
    <StackTable label="Requests">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Time</Table.Th>
          <Table.Th>Route</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Duration</Table.Th>
          <Table.Th>Key</Table.Th>
          <Table.Th>Request ID</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {requests.map((request) => (
          <RequestRow key={request._id} request={request} />
        ))}
      </Table.Tbody>
    </StackTable>
  );
}

function RequestRow({ request }: { request: LoggedRequest }) {
  const { at, method, path, status, code, durationMs, keyPrefix, client, requestId } = request;
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <At at={at} />
      </Table.Td>
      <Table.Td data-line>
        <Text size="sm" ff="monospace" dir="ltr">
          {method} {path}
        </Text>
      </Table.Td>
      <Table.Td data-label="Status" data-line={code ? true : undefined}>
        <Group gap={6} wrap="nowrap">
          <Badge color={colorOf(status)} variant="light" flex="none">
            {status}
          </Badge>
          {code && <Code style={{ whiteSpace: 'nowrap' }}>{code}</Code>}
        </Group>
      </Table.Td>
      <Table.Td data-label="Duration" style={{ whiteSpace: 'nowrap' }}>
        {Math.round(durationMs).toLocaleString('en')} ms
      </Table.Td>
      <Table.Td data-label="Key">
        <Code style={{ whiteSpace: 'nowrap' }}>{keyPrefix}…</Code>
        {client && (
          <Text size="xs" c="dimmed">
            {client}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Request ID">
        <Group gap={4} wrap="nowrap">
          <Code>{requestId.slice(-8)}</Code>
          <CopyIcon value={requestId} label="Copy request ID" />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function colorOf(status: number): string {
  if (status >= 500) return 'red';
  return status >= 400 ? 'orange' : 'green';
}

function NoRequests({ onlyErrors }: { onlyErrors: boolean }) {
  if (onlyErrors) {
    return (
      <EmptyState icon={IconPlugConnected} title="No failed requests">
        Requests with status 400 and above appear here with their error code.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconPlugConnected}
      title="No requests yet"
      action={<ButtonLink to="/developers/keys">API keys</ButtonLink>}
    >
      Requests from your apps and agents appear here within seconds.
    </EmptyState>
  );
}
