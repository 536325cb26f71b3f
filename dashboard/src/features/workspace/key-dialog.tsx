import type { WorkspaceUser } from '@crier/client';
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ErrorState } from '../../components/error-state.tsx';
import { crier } from '../../lib/api.ts';
import { CopyField } from './copy-field.tsx';

/** Creates an API key for the managed user and shows it once. */
export function KeyDialog({ user, opened, onClose }: { user: WorkspaceUser; opened: boolean; onClose: () => void }) {
  const creating = useMutation({ mutationFn: () => crier.generateWorkspaceUserApiKey({ userId: user._id }) });
  const close = () => {
    creating.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={`New key for ${user.displayName}`} size="lg" centered>
      <Stack>
        {creating.error && <ErrorState error={creating.error} />}
        {creating.data ? (
          <>
            <Alert color="orange" role="status" title="Copy the key now">
              You won’t see it again.
            </Alert>
            <CopyField label="API key" value={creating.data.apiKey} />
          </>
        ) : (
          <Text size="sm">
            Apps with this key post as {user.displayName}. If you already created a key for this brand, it stops
            working.
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {creating.data ? 'Done' : 'Cancel'}
          </Button>
          {!creating.data && (
            <Button loading={creating.isPending} onClick={() => creating.mutate()}>
              Create key
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
