import type { WorkspaceUser } from '@crier/client';
import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconLock, IconPlus, IconSearch, IconUsers } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { crier } from '../../lib/api.ts';
import { useAllChannels } from '../../lib/brands/own-and-brands.ts';
import { refreshWorkspace, workspaceQuery } from '../../lib/brands/workspace.ts';
import { count } from '../../lib/posts/post-summary.ts';
import { profileQuery } from '../../lib/queries.ts';
import { sessionQuery } from '../../lib/session.ts';
import { AddBrandDialog } from './add-brand-dialog.tsx';
import { BrandRow } from './brand-row.tsx';
import { CopyField } from './copy-field.tsx';

/** The brands, which are managed users, with their links and keys. */
export function WorkspacePage({ isAddingBrand, onBrandClosed }: { isAddingBrand: boolean; onBrandClosed: () => void }) {
  const navigate = useNavigate();
  const { data: users, error, refetch } = useQuery(workspaceQuery);
  const [isAdding, setAdding] = useState(false);
  const addButton = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
      Add brand
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
        <EmptyState icon={IconUsers} picture="hat" title="No brands yet" action={addButton}>
          Add a brand for each client you post for. Connect its accounts yourself, or send the client a link to connect
          them without signing up.
        </EmptyState>
      )}
      {users && users.length > 0 && <Brands users={users} />}
      <AddBrandDialog opened={isAdding} onClose={() => setAdding(false)} />
      <AddBrandDialog
        opened={isAddingBrand && users !== undefined}
        onClose={onBrandClosed}
        // A brand without channels can't post.
        onAdded={({ _id: brand }) => void navigate({ to: '/channels', search: { brand } })}
      />
    </>
  );
}

const Loading = () => (
  <Stack gap="sm" aria-busy aria-label="Loading brands">
    <Skeleton height={14} width={70} />
    {[0, 1, 2].map((user) => (
      <Skeleton key={user} height={98} radius="md" />
    ))}
  </Stack>
);

function Brands({ users }: { users: readonly WorkspaceUser[] }) {
  const [words, setWords] = useState('');
  const { data: channels } = useAllChannels();
  const wanted = words.trim().toLowerCase();
  const shown = users.filter(({ displayName, username }) =>
    `${displayName} ${username}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      {users.length > 5 && (
        <TextInput
          aria-label="Search brands"
          placeholder="Search brands"
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
          ? count(users.length, 'brand')
          : `${shown.length} of ${count(users.length, 'brand')}`}
      </Text>
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {shown.map((user) => (
          <BrandRow key={user._id} user={user} channels={channels?.filter(({ userId }) => userId === user._id)} />
        ))}
      </Stack>
    </>
  );
}

function NoAccess() {
  const client = useQueryClient();
  // The operator may enable it while this page is open.
  const { data: profile } = useQuery({ ...profileQuery, refetchInterval: 5000 });
  const { data: session } = useQuery(sessionQuery);
  const isEnabled = profile?.hasWorkspace === true;
  useEffect(() => void (isEnabled && refreshWorkspace(client)), [isEnabled, client]);
  const settingUp = useMutation({
    mutationFn: () => crier.setUpWorkspace({}),
    onSuccess: () => refreshWorkspace(client),
  });
  const isIncluded = profile?.canSetUpWorkspace === true;
  return (
    <>
      {settingUp.error && <ErrorState error={settingUp.error} />}
      <EmptyState
        icon={isIncluded ? IconUsers : IconLock}
        title="Your account has no workspace"
        action={
          isIncluded ? (
            <Button loading={settingUp.isPending} onClick={() => settingUp.mutate()}>
              Set up workspace
            </Button>
          ) : (
            <ButtonLink to="/settings/usage" variant="default">
              View your plan
            </ButtonLink>
          )
        }
      >
        Workspaces are for agencies and apps that post for other people. Your clients connect their accounts with a
        link, without signing up.{' '}
        {isIncluded
          ? 'You can set one up now.'
          : 'The Agency plan includes one. On other plans, the operator of this service can enable one for your account.'}
      </EmptyState>
      {profile && session && !isIncluded && (
        <Stack gap={6} maw={560} mx="auto">
          {/* The id, because an address may have characters that a shell runs. */}
          <CopyField
            label="Command for the operator"
            value={`npm run admin -- enable-workspace --user ${session._id}`}
          />
          <Text size="xs" c="dimmed">
            Once it has run, this page shows your workspace.
          </Text>
        </Stack>
      )}
    </>
  );
}
