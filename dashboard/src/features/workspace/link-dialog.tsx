import type { WorkspaceUser } from '@crier/client';
import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { crier } from '../../lib/api.ts';
import { workspaceQuery } from '../../lib/brands/workspace.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { formatDateTime } from '../../lib/time/time.ts';
import { CopyField } from './copy-field.tsx';

/** The link to connect accounts without signing in. */
export function LinkDialog({ user, opened, onClose }: { user: WorkspaceUser; opened: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const preferences = useTimePreferences();
  const [days, setDays] = useState<number | string>(90);
  const onSettled = () => client.invalidateQueries({ queryKey: workspaceQuery.queryKey });
  const { _id: userId, connectionsPageUrl: url, connectionsPageTokenExpiresAt: expiresAt } = user;
  const creating = useMutation({
    mutationFn: () => crier.getConnectionUrl({ userId, expiresInDays: Number(days), rotate: url !== null }),
    onSettled,
  });
  const revoking = useMutation({ mutationFn: () => crier.revokeConnectionUrl({ userId }), onSettled });
  const error = creating.error ?? revoking.error;
  return (
    <Modal opened={opened} onClose={onClose} title={`Connection link for ${user.displayName}`} size="lg" centered>
      <Stack>
        {error && <ErrorState error={error} />}
        <Text size="sm">
          Anyone with this link can connect accounts for {user.displayName} without signing in. Share it only with them.
        </Text>
        {url && <CopyField label="Link" value={url} />}
        {url && expiresAt && (
          <Text size="sm" c="dimmed">
            Expires {formatDateTime(expiresAt, preferences)}. A new link replaces this one.
          </Text>
        )}
        <Group align="flex-end" justify="space-between">
          <NumberInput label="Expires after (days)" min={1} max={365} w={170} value={days} onChange={setDays} />
          <Group gap="sm">
            {url && (
              <Button variant="default" loading={revoking.isPending} onClick={() => revoking.mutate()}>
                Revoke
              </Button>
            )}
            <Button
              variant={url ? 'default' : 'filled'}
              disabled={!(Number(days) > 0)}
              loading={creating.isPending}
              onClick={() => creating.mutate()}
            >
              {url ? 'New link' : 'Create link'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
