import type { ApiKey } from '@crier/client';
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';

export function RenameDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  return (
    <Modal opened={apiKey !== null} onClose={onClose} title="Rename key" closeButtonProps={{ 'aria-label': 'Close' }}>
      {apiKey && <RenameForm apiKey={apiKey} onDone={onClose} />}
    </Modal>
  );
}

function RenameForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(apiKey.name);
  const rename = useMutation({
    mutationFn: () => crier.updateApiKey({ keyId: apiKey._id, name: name.trim() }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.keys });
      onDone();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rename.mutate();
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          required
          maxLength={100}
          dir="auto"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        {rename.error && <ErrorState error={rename.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={rename.isPending} disabled={!name.trim()}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
