import type { WorkspaceUser } from '@crier/client';
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { crier } from '../../lib/api.ts';
import { refreshWorkspace } from '../../lib/brands/workspace.ts';
import { profileQuery } from '../../lib/queries.ts';
import { placeholderEmail } from './placeholder-email.ts';

/** Also sets up the workspace, for those who have none yet. */
export function AddBrandDialog({
  opened,
  onClose,
  onAdded = onClose,
}: {
  opened: boolean;
  onClose: () => void;
  onAdded?: (user: WorkspaceUser) => void;
}) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [placeholder, setPlaceholder] = useState(placeholderEmail);
  const [name, setName] = useState('');
  const adding = useMutation({
    mutationFn: async () => {
      if ((await client.fetchQuery(profileQuery)).canSetUpWorkspace) await crier.setUpWorkspace({});
      return crier.createWorkspaceUser({ username: email.trim() || placeholder, displayName: name.trim() });
    },
    onSuccess: async ({ user }) => {
      await refreshWorkspace(client);
      setEmail('');
      setPlaceholder(placeholderEmail);
      setName('');
      onAdded(user);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Add brand" centered>
      <form onSubmit={submit}>
        <Stack>
          {adding.error && <ErrorState error={adding.error} />}
          <TextInput
            label="Name"
            description="The client or brand you post for."
            data-autofocus
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="Email"
            type="email"
            description="Optional. Your client needs one only to take over the account later. Crier doesn’t send email to it."
            autoComplete="off"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={adding.isPending}>
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
