import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';

/** What runs after confirmation. A TanStack Query mutation fits. */
interface ConfirmedAction {
  mutate(): void;
  reset?(): void;
  isPending?: boolean;
  error?: Error | null;
}

/** Asks for confirmation before an action that can't be undone, and explains its consequences. */
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
  /** Button labels. */
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
