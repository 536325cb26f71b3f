import type { Connection, PlatformLimits } from '@crier/client';
import { Box, Button, Menu, Stack } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconPencil } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { lazy, memo, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react';
import { channelName } from '../../../components/channels/avatar.tsx';
import { PlatformIcon } from '../../../components/channels/platform-icon.tsx';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import classes from '../composer.module.css';
import type { Change, Composing } from '../use-composer.ts';
import { longestThread } from '../validation/checked-texts.ts';
import type { Validation } from '../validation/use-validation.ts';
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
  previewed,
  onPreview,
  ...checked
}: Checked & {
  composing: Composing;
  chosen: readonly Connection[];
  /** Actions besides writing. */
  tools: ReactNode;
  previewed: string | null;
  /** The preview follows the text that has the focus. */
  onPreview: (platformId: string) => void;
}) {
  const { draft, change } = composing;
  const main = useRef<HTMLDivElement>(null);
  const writingKey = useLocation({ select: ({ state }) => (state.isWriting ? state.__TSR_key : undefined) });
  useEffect(() => {
    if (writingKey) main.current?.querySelector('textarea')?.focus();
  }, [writingKey]);
  const hasOwn = Object.keys(draft.overrides).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `hasOwn` lists the channels with custom texts.
  const { own, sharing } = useMemo(() => {
    const isOwn = ({ platformId }: Connection) => platformId in draft.overrides;
    return { own: chosen.filter(isOwn).map((one) => [one]), sharing: chosen.filter((one) => !isOwn(one)) };
  }, [chosen, hasOwn]);
  const show = (channels: readonly Connection[]) => () => {
    const [first] = channels;
    if (first && !channels.some(({ platformId }) => platformId === previewed)) onPreview(first.platformId);
  };
  return (
    <Stack gap="md" ref={main}>
      <OneText
        label="Post text"
        placeholder="What would you like to say?"
        value={draft.text}
        onChange={(text) => change({ type: 'text', text })}
        composing={composing}
        channels={sharing}
        onFocus={show(sharing)}
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
            onFocus={show(channels)}
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
  onFocus,
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
  onFocus: () => void;
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
        onFocus={onFocus}
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
      <CounterList text={value} chosen={channels} validation={validation} limits={limits} />
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
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          w="fit-content"
          leftSection={<IconPencil size={14} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Customise
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        <Menu.Label>Write a separate text for</Menu.Label>
        {sharing.map((channel) => (
          <Menu.Item
            key={channel.platformId}
            leftSection={<PlatformIcon platform={platformOf(channel.platformId)} />}
            onClick={() => change({ type: 'own', id: channel.platformId })}
          >
            {labelOf(channel, chosen)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});

/** The network, with the account if several are selected. */
function labelOf(channel: Connection, chosen: readonly Connection[]): string {
  const platform = platformOf(channel.platformId);
  const siblings = chosen.filter(({ platformId }) => platformOf(platformId) === platform);
  return siblings.length > 1 ? `${platformName(platform)} (${channelName(channel)})` : platformName(platform);
}
