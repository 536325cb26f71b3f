import type { LoggedRequest } from '@crier/client';
import { Badge, Code, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyIcon } from '../../../components/copy-value.tsx';
import { StackTable } from '../../../components/stack-table.tsx';
import { LoggedAt } from '../../../components/when.tsx';
import { apiKeysQuery, keyNameOf } from '../keys/queries.ts';
import classes from './requests.module.css';

/** Calls, newest first. A row opens the call. */
export function RequestTable({
  requests,
  onOpen,
}: {
  requests: readonly LoggedRequest[];
  onOpen: (request: LoggedRequest) => void;
}) {
  const { data: apiKeys = [] } = useQuery(apiKeysQuery);
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
          <RequestRow
            key={request._id}
            request={request}
            keyName={keyNameOf(apiKeys, request.keyPrefix)}
            onOpen={() => onOpen(request)}
          />
        ))}
      </Table.Tbody>
    </StackTable>
  );
}

function RequestRow({
  request,
  keyName,
  onOpen,
}: {
  request: LoggedRequest;
  keyName: string | undefined;
  onOpen: () => void;
}) {
  const { at, method, path, status, code, durationMs, keyPrefix, client, requestId } = request;
  return (
    <Table.Tr className={classes.row}>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <LoggedAt at={at} />
      </Table.Td>
      <Table.Td data-line>
        <UnstyledButton className={classes.open} dir="ltr" onClick={onOpen}>
          {method} {path}
        </UnstyledButton>
      </Table.Td>
      <Table.Td data-label="Status" data-line={code ? true : undefined}>
        <Status status={status} code={code} />
      </Table.Td>
      <Table.Td data-label="Duration" style={{ whiteSpace: 'nowrap' }}>
        {Math.round(durationMs).toLocaleString('en')} ms
      </Table.Td>
      <Table.Td data-label="Key">
        {keyName && (
          <Text size="sm" dir="auto" truncate maw={180}>
            {keyName}
          </Text>
        )}
        <Code style={{ whiteSpace: 'nowrap' }}>{keyPrefix}…</Code>
        {client !== defaultClient && (
          <Text size="xs" c="dimmed">
            {client}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Request ID">
        <Group gap={4} wrap="nowrap" className={classes.above}>
          <Code>{requestId.slice(-8)}</Code>
          <CopyIcon value={requestId} label="Copy request ID" />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** What the log has for calls that don't name their client. */
export const defaultClient = 'api';

export const Status = ({ status, code }: Pick<LoggedRequest, 'status' | 'code'>) => (
  <Group gap={6} wrap="nowrap">
    <Badge color={colorOf(status)} variant="light" flex="none">
      {status}
    </Badge>
    {code && <Code style={{ whiteSpace: 'nowrap' }}>{code}</Code>}
  </Group>
);

function colorOf(status: number): string {
  if (status >= 500) return 'red';
  return status >= 400 ? 'orange' : 'green';
}
