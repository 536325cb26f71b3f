import type { WorkspaceUser } from '@crier/client';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { crier } from '../../lib/api.ts';
import { workspaceQuery } from '../../lib/brands/workspace.ts';
import { isPlaceholder } from './placeholder-email.ts';

/** Explains the consequences. */
export function DetachDialog({ user, opened, onClose }: { user: WorkspaceUser; opened: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const detaching = useMutation({
    mutationFn: () => crier.detachWorkspaceUser({ userId: user._id }),
    onSuccess: async () => {
      notifications.show({ message: `${user.displayName} is no longer in your workspace.`, withBorder: true });
      onClose();
      await client.invalidateQueries({ queryKey: workspaceQuery.queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={`Detach ${user.displayName}?`}
      confirm="Detach"
      opened={opened}
      action={detaching}
      onClose={onClose}
    >
      <Text size="sm">
        You’ll no longer be able to post for this brand. Its connection link and keys from this workspace stop working.{' '}
        {isPlaceholder(user.username)
          ? 'It was added without an email address, so only the operator can give someone access to its account.'
          : 'The account stays with its channels and posts, on the default plan.'}
      </Text>
    </ConfirmDialog>
  );
}
