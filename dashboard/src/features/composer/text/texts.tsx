import type { Connection, PlatformLimits } from '@crier/client';
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconPencil } from '@tabler/icons-react';
import { lazy, memo, type ReactNode, Suspense, useMemo } from 'react';
import { channelName } from '../../../components/channels/avatar.tsx';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import classes from '../composer.module.css';
import type { Change, Composing } from '../use-composer.ts';
import { longestThread, type Validation } from '../validation/use-validation.ts';
import { CounterList } from './counter-list.tsx';
import { TextField } from './field.tsx';
import { ThreadParts } from './thread-parts.tsx';

const MentionButton = lazy(() => import('./mention-button.tsx'));

interface Checked {
  readonly validation: Validation;
  readonly limits: Readonly<Record<string, PlatformLimits>>;
}

/** "Post text" and the custom texts of channels. */
export function Texts({
  composing,
  chosen,
  tools,
  ...checked
}: Checked & {
  composing: Composing;
  chosen: readonly Connection[];
  /** Actions besides writing. */
  tools: ReactNode;
}) {
  const { draft, change } = composing;
  const hasOwn = Object.keys(draft.overrides).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `hasOwn` lists the channels with custom texts.
  const { own, sharing } = useMemo(() => {
    const isOwn = ({ platformId }: Connection) => platformId in draft.overrides;
    return { own: chosen.filter(isOwn).map((one) => [one]), sharing: chosen.filter((one) => !isOwn(one)) };
  }, [chosen, hasOwn]);
  return (
    <Stack gap="md">
      <OneText
        label="Post text"
        placeholder="What would you like to say?"
        value={draft.text}
        onChange={(text) => change({ type: 'text', text })}
        composing={composing}
        channels={sharing}
        tools={tools}
        {...checked}
      />
      {own.map((channels) => {
        const [channel] = channels;
        const { platformId } = channel!;
        return (
          <OneText
            key={platformId}
            label={`Text for ${labelOf(channel!, chosen)}`}
            value={draft.overrides[platformId] ?? ''}
            onChange={(text) => change({ type: 'override', id: platformId, text })}
            composing={composing}
            channels={channels}
            {...checked}
          >
            <Button
              mt="xs"
              size="compact-sm"
              variant="subtle"
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              onClick={() => change({ type: 'shared', id: platformId })}
            >
              Back to shared text
            </Button>
          </OneText>
        );
      })}
      <Customise sharing={sharing} chosen={chosen} change={change} />
    </Stack>
  );
}

function OneText({
  label,
  placeholder,
  value,
  onChange,
  composing: { change, canUndo, canRedo },
  channels,
  tools,
  validation,
  limits,
  children,
}: Checked & {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (text: string) => void;
  composing: Composing;
  /** The channels that use this text. */
  channels: readonly Connection[];
  tools?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Box className={classes.card}>
      <TextField
        label={label}
        placeholder={placeholder}
        value={value}
        parts={longestThread(channels, validation)}
        onChange={onChange}
        canUndo={canUndo}
        canRedo={canRedo}
        onUndo={() => change({ type: 'undo' })}
        onRedo={() => change({ type: 'redo' })}
        more={tools}
        tools={(insert) =>
          channels.some(({ platformId }) => platformOf(platformId) === 'linkedin') && (
            <Suspense fallback={null}>
              <MentionButton onPick={insert} />
            </Suspense>
          )
        }
      />
      <CounterList chosen={channels} validation={validation} limits={limits} />
      <ThreadParts chosen={channels} validation={validation} />
      {children}
    </Box>
  );
}

const Customise = memo(function Customise({
  sharing,
  chosen,
  change,
}: {
  sharing: readonly Connection[];
  chosen: readonly Connection[];
  change: Change;
}) {
  if (sharing.length === 0) return null;
  return (
    <Group gap={6}>
      <Text span size="sm" c="dimmed" aria-hidden>
        Customise for
      </Text>
      {sharing.map((channel) => (
        <Button
          key={channel.platformId}
          size="compact-sm"
          variant="default"
          leftSection={<IconPencil size={14} aria-hidden />}
          aria-label={`Customise for ${labelOf(channel, chosen)}`}
          onClick={() => change({ type: 'own', id: channel.platformId })}
        >
          {labelOf(channel, chosen)}
        </Button>
      ))}
    </Group>
  );
});

/** The network, with the account if several are selected. */
function labelOf(channel: Connection, chosen: readonly Connection[]): string {
  const platform = platformOf(channel.platformId);
  const siblings = chosen.filter(({ platformId }) => platformOf(platformId) === platform);
  return siblings.length > 1 ? `${platformName(platform)} (${channelName(channel)})` : platformName(platform);
}
