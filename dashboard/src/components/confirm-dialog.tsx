import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';

/** What is done after the confirmation. A mutation of TanStack Query is one. */
interface ConfirmedAction {
  mutate(): void;
  reset?(): void;
  isPending?: boolean;
  error?: Error | null;
}

/** Asks before something is done that cannot be undone, and says what follows from it. */
export function ConfirmDialog({
  title,
  confirm,
  cancel = 'Cancel',
  opened,
  action: { mutate, reset, isPending = false, error = null },
  onClose,
  children,
}: {
  title: string;
  /** The labels of the buttons. */
  confirm: string;
  cancel?: string;
  opened: boolean;
  action: ConfirmedAction;
  onClose: () => void;
  children: ReactNode;
}) {
  const close = () => {
    reset?.();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title} centered>
      <Stack>
        {error && <ErrorState error={error} />}
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {cancel}
          </Button>
          <Button color="red.9" loading={isPending} onClick={() => mutate()}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
