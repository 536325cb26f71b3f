import type { ApiKey } from '@crier/client';
import { Badge, Button, Code, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { StackTable } from '../../../components/stack-table.tsx';
import { Ago } from '../../../components/when.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { scopeSummary } from './scopes.ts';

/** Keys with scopes and last use. */
export function KeyTable({ apiKeys, label }: { apiKeys: readonly ApiKey[]; label: string }) {
  const [editing, setEditing] = useState<ApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <>
      <StackTable label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Key</Table.Th>
            <Table.Th>Scopes</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>Expires</Table.Th>
            <Table.Th ta="end">Actions</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {apiKeys.map((apiKey) => (
            <KeyRow
              key={apiKey._id}
              apiKey={apiKey}
              onEdit={() => setEditing(apiKey)}
              onRevoke={() => setRevoking(apiKey)}
            />
          ))}
        </Table.Tbody>
      </StackTable>
      <EditDialog apiKey={editing} onClose={() => setEditing(null)} />
      <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}

function KeyRow({ apiKey, onEdit, onRevoke }: { apiKey: ApiKey; onEdit: () => void; onRevoke: () => void }) {
  const { name, application, keyPrefix, scopes, lastUsedAt, expiresAt, createdAt, allowedAddresses } = apiKey;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <Table.Tr>
      <Table.Td maw={280}>
        <Text fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {application ? `Created for ${application}` : 'Created by you'} · <Ago at={createdAt} />
        </Text>
      </Table.Td>
      <Table.Td data-label="Key">
        <Code style={{ whiteSpace: 'nowrap' }}>{keyPrefix}…</Code>
      </Table.Td>
      <Table.Td data-label="Scopes" maw={220}>
        <Text size="sm">{scopeSummary(scopes)}</Text>
        {allowedAddresses.length > 0 && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            Only from {allowedAddresses.join(', ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Last used">
        <Text size="sm" component="div">
          <Ago at={lastUsedAt} />
        </Text>
      </Table.Td>
      <Table.Td data-label="Expires">
        {isExpired ? (
          <Badge color="red" variant="light">
            Expired
          </Badge>
        ) : (
          <Text size="sm" component="div">
            <Ago at={expiresAt} />
          </Text>
        )}
      </Table.Td>
      <Table.Td data-line>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button size="xs" variant="default" onClick={onEdit} aria-label={`Edit ${name}`}>
            Edit
          </Button>
          <Button size="xs" variant="light" color="red" onClick={onRevoke}>
            Revoke
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
