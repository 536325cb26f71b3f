import { Group, Loader, Text } from '@mantine/core';
import { IconCloudCheck, IconCloudOff, IconDeviceDesktop } from '@tabler/icons-react';
import { describe } from '../../components/error-state.tsx';
import { formatTime } from '../../lib/time.ts';
import { useTimePreferences } from '../../lib/time-preferences.ts';
import type { SaveState } from './saver.ts';

/** "Saved 12:03", or what keeps the draft from being saved. */
export function SaveNote({ state }: { state: SaveState }) {
  const preferences = useTimePreferences();
  if (state.kind === 'idle' || state.kind === 'conflict') return null;
  const { icon, words } = looks(state, (at) => formatTime(at, preferences));
  return (
    <Group gap={6} role="status" wrap="nowrap">
      {icon}
      <Text size="sm" c="dimmed">
        {words}
      </Text>
    </Group>
  );
}

function looks(state: Exclude<SaveState, { kind: 'idle' | 'conflict' }>, timeOf: (at: Date) => string) {
  switch (state.kind) {
    case 'saved':
      return { icon: <IconCloudCheck size={18} aria-hidden />, words: `Saved ${timeOf(state.at)}` };
    case 'unsaved':
    case 'saving':
      return { icon: <Loader size={14} aria-hidden />, words: 'Saving …' };
    case 'held':
      return {
        icon: <IconDeviceDesktop size={18} aria-hidden />,
        words: 'Not saved yet: the scheduled post changes when you press Schedule.',
      };
    case 'failed':
      return {
        icon: <IconCloudOff size={18} aria-hidden />,
        words: `Kept in this browser. ${messageOf(state.error)}`,
      };
  }
}

function messageOf(error: unknown): string {
  const { message, hint } = describe(error);
  return error instanceof Error && message.startsWith('Something went wrong')
    ? error.message
    : [message, hint && !message.includes(hint) ? hint : ''].join(' ').trim();
}
