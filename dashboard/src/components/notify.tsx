import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { withPlainNames } from '../lib/platform-name.ts';

/** Shows what happened, with an Undo button. */
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

/** Shows what failed, why, and what to do. */
export function notifyError(title: string, error: unknown) {
  const message = error instanceof Error ? withPlainNames(error.message) : String(error);
  notifications.show({ color: 'red', withBorder: true, autoClose: 12_000, title, message });
}
