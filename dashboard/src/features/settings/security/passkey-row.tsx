import type { Passkey } from '@crier/client';
import { Badge, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDay, formatRelative } from '../../../lib/time/time.ts';
import classes from '../settings.module.css';

export function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const preferences = useTimePreferences();
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const name = useId();
  const close = () => setDialog(null);
  const used = passkey.lastUsedAt ? `last used ${formatRelative(passkey.lastUsedAt, preferences)}` : 'never used';
  return (
    <li>
      <div className={classes.words}>
        <Group gap="xs">
          <Text fw={500} id={name} dir="auto">
            {passkey.name}
          </Text>
          {passkey.synced && (
            <Badge tt="none" variant="default">
              Synced
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          Added {formatDay(passkey.createdAt, preferences)}, {used}
        </Text>
      </div>
      <Group gap="xs">
        <Button size="xs" variant="default" aria-describedby={name} onClick={() => setDialog('rename')}>
          Rename
        </Button>
        <Button size="xs" variant="default" aria-describedby={name} onClick={() => setDialog('delete')}>
          Delete
        </Button>
      </Group>
      {dialog === 'rename' && <RenameDialog passkey={passkey} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog passkey={passkey} onClose={close} />}
    </li>
  );
}

interface DialogProps {
  passkey: Passkey;
  onClose: () => void;
}

function RenameDialog({ passkey, onClose }: DialogProps) {
  const client = useQueryClient();
  const [name, setName] = useState(passkey.name);
  const renaming = useMutation({
    mutationFn: () => crier.renamePasskey({ passkeyId: passkey._id, name: name.trim() }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: keys.passkeys }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    renaming.mutate();
  };
  return (
    <Modal opened title="Rename passkey" onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          {renaming.error && <ErrorState error={renaming.error} />}
          <TextInput
            label="Name"
            data-autofocus
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={renaming.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function DeleteDialog({ passkey, onClose }: DialogProps) {
  const client = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => crier.deletePasskey({ passkeyId: passkey._id }),
    onSuccess: onClose,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: keys.auditLog });
      return client.invalidateQueries({ queryKey: keys.passkeys });
    },
  });
  return (
    <ConfirmDialog title="Delete this passkey?" confirm="Delete" opened action={deleting} onClose={onClose}>
      <Text size="sm">
        You’ll no longer be able to sign in with “{passkey.name}”. Delete it on the device, too. This can’t be undone.
      </Text>
    </ConfirmDialog>
  );
}
