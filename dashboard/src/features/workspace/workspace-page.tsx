import type { WorkspaceUser } from '@crier/client';
import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconLock, IconPlus, IconSearch, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { count } from '../../lib/post-summary.ts';
import { AddUserDialog } from './add-user-dialog.tsx';
import { UserRow } from './user-row.tsx';
import { workspaceQuery } from './workspace-queries.ts';

/** Managed users with their links and keys. */
export function WorkspacePage() {
  const { data: users, error, refetch } = useQuery(workspaceQuery);
  const [isAdding, setAdding] = useState(false);
  const addButton = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
      Add user
    </Button>
  );
  return (
    <>
      <PageHeader title="Workspace" about="Clients and brands you post for.">
        {users && users.length > 0 && addButton}
      </PageHeader>
      {error && !users && <ErrorState error={error} onRetry={() => void refetch()} />}
      {users === undefined && !error && <Loading />}
      {users === null && <NoAccess />}
      {users?.length === 0 && (
        <EmptyState icon={IconUsers} title="No users yet" action={addButton}>
          Add a user for each client or brand. Send them a link to connect their accounts without signing up, and post
          on their behalf.
        </EmptyState>
      )}
      {users && users.length > 0 && <Users users={users} />}
      <AddUserDialog opened={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}

const Loading = () => (
  <Stack gap="sm" aria-busy aria-label="Loading users">
    <Skeleton height={14} width={70} />
    {[0, 1, 2].map((user) => (
      <Skeleton key={user} height={98} radius="md" />
    ))}
  </Stack>
);

function Users({ users }: { users: readonly WorkspaceUser[] }) {
  const [words, setWords] = useState('');
  const wanted = words.trim().toLowerCase();
  const shown = users.filter(({ displayName, username }) =>
    `${displayName} ${username}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      {users.length > 5 && (
        <TextInput
          aria-label="Search users"
          placeholder="Search users"
          type="search"
          leftSection={<IconSearch size={16} aria-hidden />}
          maw={360}
          mb="md"
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {shown.length === users.length
          ? count(users.length, 'user')
          : `${shown.length} of ${count(users.length, 'user')}`}
      </Text>
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {shown.map((user) => (
          <UserRow key={user._id} user={user} />
        ))}
      </Stack>
    </>
  );
}

const NoAccess = () => (
  <EmptyState
    icon={IconLock}
    title="Your account has no workspace"
    action={
      <ButtonLink to="/settings/usage" variant="default">
        View your plan
      </ButtonLink>
    }
  >
    Workspaces are for agencies and apps that post for other people. Your users connect their accounts with a link,
    without signing up. Ask the operator to enable a workspace for your account.
  </EmptyState>
);
