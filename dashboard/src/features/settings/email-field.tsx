import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { crier } from '../../lib/api.ts';
import { keys } from '../../lib/query-keys.ts';

/** The address that one signs in with. Another one has to be confirmed by a mail first. */
export function EmailField({ email }: { email: string }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <TextInput
        label="Email"
        type="email"
        readOnly
        value={email}
        rightSectionWidth={88}
        rightSection={
          <Button size="compact-sm" variant="light" aria-label="Change email" onClick={() => setChanging(true)}>
            Change
          </Button>
        }
      />
      {isChanging && <EmailDialog onClose={() => setChanging(false)} />}
    </>
  );
}

function EmailDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [newEmail, setNewEmail] = useState('');
  const [password, setPassword] = useState('');
  const asking = useMutation({
    mutationFn: () => crier.changeEmail({ newEmail, password }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.auditLog }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog is part of the form of the profile.
    event.stopPropagation();
    asking.mutate();
  };
  if (asking.data) {
    return (
      <Modal opened title="Look into your mail" onClose={onClose}>
        <Text size="sm" role="status">
          If no other account has the address {newEmail}, a link is on its way to it. Your address changes when you open
          the link; until then you sign in as before.
        </Text>
      </Modal>
    );
  }
  return (
    <Modal opened title="Change your e-mail address" onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          {asking.error && <ErrorState error={asking.error} />}
          <TextInput
            label="New address"
            description="We send a link to it, to be sure that it is yours."
            type="email"
            autoComplete="email"
            data-autofocus
            required
            withAsterisk={false}
            value={newEmail}
            onChange={(event) => setNewEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={asking.isPending}>
              Send the link
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
