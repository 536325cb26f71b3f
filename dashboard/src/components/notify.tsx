import { CrierError } from '@crier/client';
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { brandSignal } from '../lib/brands/brand.ts';
import { withPlainNames } from '../lib/platform-name.ts';
import { describe } from './error-state.tsx';

/** Shows what happened, with an Undo button until the page shows another brand. `onEnd` runs once it can't be undone anymore. Returns a function that closes it. */
export function notifyWithUndo(
  message: string,
  onUndo: () => void,
  { shownMs = 10_000, onEnd }: { shownMs?: number; onEnd?: () => void } = {},
): () => void {
  let isUndone = false;
  const id = notifications.show({
    autoClose: shownMs,
    withBorder: true,
    onClose: () => {
      if (!isUndone) onEnd?.();
    },
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          onClick={() => {
            isUndone = true;
            notifications.hide(id);
            onUndo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
  const close = () => void notifications.hide(id);
  brandSignal().addEventListener('abort', close, { once: true });
  return close;
}

/** Shows what happened, with buttons such as "View". */
export function notifyWithActions(message: string, actions: Readonly<Record<string, () => void>>) {
  const id = notifications.show({
    autoClose: 10_000,
    withBorder: true,
    message: (
      <Group justify="space-between" gap="sm">
        <Text size="sm">{message}</Text>
        <Group gap={6}>
          {Object.entries(actions).map(([label, action]) => (
            <Button
              key={label}
              size="compact-sm"
              variant="light"
              onClick={() => {
                notifications.hide(id);
                action();
              }}
            >
              {label}
            </Button>
          ))}
        </Group>
      </Group>
    ),
  });
}

/** Shows what failed, why, and what to do. */
export function notifyError(title: string, error: unknown) {
  notifications.show({ color: 'red', withBorder: true, autoClose: 12_000, title, message: reasonOf(error) });
}

/** Errors of the dashboard itself are sentences already. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof CrierError) && error instanceof Error) return withPlainNames(error.message);
  const { message, hint } = describe(error);
  return [message, hint].filter(Boolean).join(' ');
}
