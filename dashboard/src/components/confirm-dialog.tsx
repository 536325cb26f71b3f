import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';

/** Asks before something is done that cannot be undone. */
export function ConfirmDialog({
  title,
  confirm,
  opened,
  isRunning,
  error,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  /** What the button that does it says. */
  confirm: string;
  opened: boolean;
  isRunning: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack>
        <div>{children}</div>
        {error !== null && error !== undefined && <ErrorState error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={isRunning} onClick={onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
