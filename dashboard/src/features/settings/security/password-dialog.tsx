import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';

/** Asks for the password again before a security-relevant change. */
export function PasswordDialog({
  title,
  about,
  action,
  danger = false,
  onPassword,
  onClose,
  children,
}: {
  title: string;
  about?: string;
  /** The button's label. */
  action: string;
  danger?: boolean;
  onPassword: (password: string) => Promise<unknown>;
  onClose: () => void;
  /** Fields before the password. The first one has `data-autofocus`. */
  children?: ReactNode;
}) {
  const [password, setPassword] = useState('');
  const asking = useMutation({ mutationFn: () => onPassword(password) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // If the dialog was opened from another form, React would propagate the event to it.
    event.stopPropagation();
    asking.mutate();
  };
  return (
    <Modal opened title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          {about && <Text size="sm">{about}</Text>}
          {asking.error && <ErrorState error={asking.error} />}
          {children}
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            data-autofocus={children ? undefined : true}
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color={danger ? 'red.9' : undefined} loading={asking.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
