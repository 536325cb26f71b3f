import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { keys } from '../../../lib/query-keys.ts';
import { sessionQuery } from '../../../lib/session.ts';
import { Section } from '../section.tsx';

export function PasswordSection() {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const changing = useMutation({
    mutationFn: () => crier.changePassword({ currentPassword, newPassword }),
    onSuccess: () => {
      setCurrent('');
      setNew('');
      notifications.show({ message: 'Your password is changed. All other devices are signed out.', withBorder: true });
      void client.invalidateQueries({ queryKey: keys.sessions });
      void client.invalidateQueries({ queryKey: keys.auditLog });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate();
  };
  return (
    <Section title="Password" about="A new password signs out all your other devices.">
      <form onSubmit={submit}>
        <Stack maw={420}>
          {changing.error && <ErrorState error={changing.error} />}
          {/* So that password managers know whose password changes. */}
          <input type="text" autoComplete="username" value={session?.email ?? ''} readOnly hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            value={currentPassword}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordInput
            label="New password"
            description="At least eight characters that no one would guess."
            autoComplete="new-password"
            required
            value={newPassword}
            onChange={(event) => setNew(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" loading={changing.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
