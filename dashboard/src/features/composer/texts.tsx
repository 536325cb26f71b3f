import type { Connection, PlatformLimits } from '@crier/client';
import { Box, Button, Group, Stack } from '@mantine/core';
import { IconArrowBackUp, IconPencil } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { channelName } from '../../components/channel-avatar.tsx';
import { platformName } from '../../components/platform-icon.tsx';
import { platformOf } from '../../lib/platform-of.ts';
import classes from './composer.module.css';
import { CounterList } from './counter-list.tsx';
import { countersFor } from './counters.ts';
import { TextField } from './text-field.tsx';
import { ThreadParts } from './thread-parts.tsx';
import type { Composing } from './use-composer.ts';
import type { Validation } from './use-validation.ts';

const MentionButton = lazy(() => import('./mention-button.tsx'));

/** "Post text", and the texts of channels that have their own. */
export function Texts({
  composing: { draft, change, canUndo, canRedo },
  chosen,
  validation,
  limits,
}: {
  composing: Composing;
  chosen: readonly Connection[];
  validation: Validation;
  limits: Readonly<Record<string, PlatformLimits>>;
}) {
  const steps = {
    canUndo,
    canRedo,
    onUndo: () => change({ type: 'undo' }),
    onRedo: () => change({ type: 'redo' }),
    tools: (insert: (text: string) => void) =>
      chosen.some(({ platformId }) => platformOf(platformId) === 'linkedin') && (
        <Suspense fallback={null}>
          <MentionButton onPick={insert} />
        </Suspense>
      ),
  };
  const own = chosen.filter(({ platformId }) => platformId in draft.overrides);
  const sharing = chosen.filter(({ platformId }) => !(platformId in draft.overrides));
  return (
    <Stack gap="md">
      <Box className={classes.card}>
        <TextField
          label="Post text"
          value={draft.text}
          placeholder="What would you like to say?"
          onChange={(text) => change({ type: 'text', text })}
          {...steps}
        />
        <CounterList counters={countersFor(sharing, validation, limits)} />
        <ThreadParts chosen={sharing} validation={validation} />
      </Box>
      {own.map((channel) => (
        <Box key={channel.platformId} className={classes.card}>
          <TextField
            label={`Text for ${labelOf(channel, chosen)}`}
            value={draft.overrides[channel.platformId]!}
            onChange={(text) => change({ type: 'override', id: channel.platformId, text })}
            {...steps}
          />
          <CounterList counters={countersFor([channel], validation, limits)} />
          <ThreadParts chosen={[channel]} validation={validation} />
          <Button
            mt="xs"
            size="compact-sm"
            variant="subtle"
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            onClick={() => change({ type: 'shared', id: channel.platformId })}
          >
            Back to shared text
          </Button>
        </Box>
      ))}
      {sharing.length > 0 && (
        <Group gap="xs">
          {sharing.map((channel) => (
            <Button
              key={channel.platformId}
              size="compact-sm"
              variant="default"
              leftSection={<IconPencil size={14} aria-hidden />}
              onClick={() => change({ type: 'override', id: channel.platformId, text: draft.text })}
            >
              Customise for {labelOf(channel, chosen)}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}

/** The network, and the account if there are several of that network. */
function labelOf(channel: Connection, chosen: readonly Connection[]): string {
  const platform = platformOf(channel.platformId);
  const siblings = chosen.filter(({ platformId }) => platformOf(platformId) === platform);
  return siblings.length > 1 ? `${platformName(platform)} (${channelName(channel)})` : platformName(platform);
}
