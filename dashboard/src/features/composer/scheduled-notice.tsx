import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** Reports when the post goes out, with "View" and "Undo". */
export function notifyScheduled({
  message,
  onView,
  onUndo,
}: {
  message: string;
  onView: () => void;
  onUndo?: () => void;
}) {
  const button = (label: string, action: () => void) => (
    <Button
      size="compact-sm"
      variant="light"
      onClick={() => {
        notifications.hide(id);
        action();
      }}
    >
      {label}
    </Button>
  );
  const id = notifications.show({
    autoClose: 10_000,
    withBorder: true,
    message: (
      <Group justify="space-between" gap="sm">
        <Text size="sm">{message}</Text>
        <Group gap={6}>
          {button('View', onView)}
          {onUndo && button('Undo', onUndo)}
        </Group>
      </Group>
    ),
  });
}
