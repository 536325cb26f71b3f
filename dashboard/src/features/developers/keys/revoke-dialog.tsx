import type { ApiKey } from '@crier/client';
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';

/** Revokes a key after confirmation. */
export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: async () => apiKey && crier.revokeApiKey({ keyId: apiKey._id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.keys });
      notifications.show({ message: 'Key revoked.', withBorder: true });
      onClose();
    },
  });
  return (
    <ConfirmDialog title="Revoke this key?" confirm="Revoke" opened={apiKey !== null} action={revoke} onClose={onClose}>
      <Text size="sm" dir="auto">
        {apiKey?.application ?? apiKey?.name} loses access immediately. This can’t be undone.
      </Text>
    </ConfirmDialog>
  );
}
