import { Anchor, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { LoadingRows } from '../loading-rows.tsx';
import { CreateKeyDialog } from './create-dialog.tsx';
import { apiKeysQuery } from './queries.ts';
import { KeyTable } from './table.tsx';

export function KeysPage() {
  const [isCreating, creating] = useDisclosure();
  const { data: apiKeys, error, refetch } = useQuery(apiKeysQuery);
  const create = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={creating.open}>
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        about={
          <>
            Apps and agents use a key to act on your behalf. In the API, a channel is a connection, and “platforms”
            takes its ID. <Anchor href="/docs">Read the docs</Anchor>.
          </>
        }
      >
        {apiKeys?.length !== 0 && create}
      </PageHeader>
      {apiKeys?.length === 0 && (
        <EmptyState icon={IconKey} title="No keys yet" action={create}>
          Create a key to schedule and publish posts from your own apps.
        </EmptyState>
      )}
      {apiKeys && apiKeys.length > 0 && <KeyTable apiKeys={apiKeys} label="API keys" />}
      {!apiKeys && error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!apiKeys && !error && <LoadingRows label="Loading keys" />}
      <CreateKeyDialog opened={isCreating} onClose={creating.close} />
    </>
  );
}
