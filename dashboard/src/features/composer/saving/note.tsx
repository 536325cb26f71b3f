import { ConnectionError } from '@crier/client';
import { Group, Loader, Text } from '@mantine/core';
import { IconCloudCheck, IconCloudOff, IconDeviceDesktop } from '@tabler/icons-react';
import { describe } from '../../../components/error-state.tsx';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatTime } from '../../../lib/time/time.ts';
import classes from '../composer.module.css';
import type { SaveState } from './autosaver.ts';

/** "Saved 12:03", or why the draft isn't saved. */
export function SaveNote({
  state,
  isReasonShown,
}: {
  state: SaveState;
  /** Whether the error is already shown elsewhere. */
  isReasonShown: boolean;
}) {
  const preferences = useTimePreferences();
  if (state.kind === 'idle' || state.kind === 'conflict') return null;
  const { icon, words } = looks(state, isReasonShown, (at) => formatTime(at, preferences));
  return (
    <Group gap={6} role="status" wrap="nowrap" align="flex-start">
      {icon}
      <Text size="sm" c="dimmed">
        {words}
      </Text>
    </Group>
  );
}

function looks(
  state: Exclude<SaveState, { kind: 'idle' | 'conflict' }>,
  isReasonShown: boolean,
  timeOf: (at: Date) => string,
) {
  switch (state.kind) {
    case 'saved':
      return {
        icon: <IconCloudCheck size={16} aria-hidden className={classes.beside} />,
        words: `Saved ${timeOf(state.at)}`,
      };
    case 'unsaved':
    case 'saving':
      return { icon: <Loader size={14} aria-hidden className={classes.beside} />, words: 'Saving…' };
    case 'unconfirmed':
      return {
        icon: <IconDeviceDesktop size={16} aria-hidden className={classes.beside} />,
        words: 'Not saved yet. The scheduled post is unchanged.',
      };
    case 'failed':
      return {
        icon: <IconCloudOff size={16} aria-hidden className={classes.beside} />,
        words: isReasonShown
          ? 'Changes kept in this browser.'
          : `Changes kept in this browser. ${messageOf(state.error)}`,
      };
  }
}

/** Hints are shown with the error itself, except for lost connections. */
function messageOf(error: unknown): string {
  const { message, hint } = describe(error);
  if (error instanceof Error && message.startsWith('Something went wrong')) return error.message;
  return error instanceof ConnectionError && hint ? `${message} ${hint}` : message;
}
