import { Button, Checkbox, Group, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { crier } from '../../../lib/api.ts';
import { sessionQuery } from '../../../lib/session.ts';
import { Section } from '../section.tsx';

export function PasswordSection() {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const [endAccess, setEndAccess] = useState(false);
  const changing = useMutation({
    mutationFn: () => crier.changePassword({ currentPassword, newPassword, endAccess }),
    onSuccess: () => {
      setCurrent('');
      setNew('');
      setEndAccess(false);
      notifications.show({ message: 'Password changed. All other devices are signed out.', withBorder: true });
      // Other pages list what has ended, too.
      void client.invalidateQueries();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate();
  };
  return (
    <Section title="Password" about="Changing your password signs out all other devices.">
      <form onSubmit={submit}>
        <Stack maw={420}>
          {changing.error && <ErrorState error={changing.error} />}
          {/* Tells password managers whose password changes. */}
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
            description="At least eight characters, hard to guess."
            autoComplete="new-password"
            required
            value={newPassword}
            onChange={(event) => setNew(event.currentTarget.value)}
          />
          <Checkbox
            label="Also revoke all other access"
            description="Revokes your passkeys, API keys, connected apps and webhooks, and removes you from the workspace you’re in. If you own a workspace, it also revokes its users’ keys, connection links and webhooks. Choose this if someone else may have used your account."
            checked={endAccess}
            onChange={(event) => setEndAccess(event.currentTarget.checked)}
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
