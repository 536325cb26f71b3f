import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { withPlainNames } from '../lib/platform-name.ts';

/** Says what happened, and offers to take it back. */
export function notifyWithUndo(message: string, onUndo: () => void) {
  const id = notifications.show({
    autoClose: 10_000,
    withBorder: true,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          onClick={() => {
            notifications.hide(id);
            onUndo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}

/** Says that something did not work, why, and what to do. */
export function notifyError(title: string, error: unknown) {
  const message = error instanceof Error ? withPlainNames(error.message) : String(error);
  notifications.show({ color: 'red', withBorder: true, autoClose: 12_000, title, message });
}
