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

/** The users that one manages: their links, keys, and the end of it. */
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
      <PageHeader title="Workspace" about="People and brands whose accounts you post to.">
        {users && users.length > 0 && addButton}
      </PageHeader>
      {error && !users && <ErrorState error={error} onRetry={() => void refetch()} />}
      {users === undefined && !error && <Loading />}
      {users === null && <NoAccess />}
      {users?.length === 0 && (
        <EmptyState icon={IconUsers} title="No users yet" action={addButton}>
          Add a user for each client or brand. You send them a link, they connect their accounts without signing up, and
          you post for them.
        </EmptyState>
      )}
      {users && users.length > 0 && <Users users={users} />}
      <AddUserDialog opened={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}

const Loading = () => (
  <Stack gap="sm" aria-busy aria-label="Loading the users">
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
        See your plan
      </ButtonLink>
    }
  >
    A workspace is for agencies and products: you manage users who need no account of their own, they connect their
    networks with a link, and you post for them. The operator of this service can give your account one.
  </EmptyState>
);
