import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { crier } from '../../lib/api.ts';
import { workspaceQuery } from './workspace-queries.ts';

export function AddUserDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const adding = useMutation({
    mutationFn: () => crier.createWorkspaceUser({ username: email, ...(name.trim() && { displayName: name.trim() }) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: workspaceQuery.queryKey });
      setEmail('');
      setName('');
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Add user" centered>
      <form onSubmit={submit}>
        <Stack>
          {adding.error && <ErrorState error={adding.error} />}
          <TextInput
            label="Name"
            description="The name of this client or brand."
            data-autofocus
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="Email"
            type="email"
            description="Identifies the user. Crier doesn’t send email to this address."
            required
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
