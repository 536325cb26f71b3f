import type { Connection, PlatformLimits } from '@crier/client';
import { Box, Button, Stack } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useLocation } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import { platformOf } from '../../../lib/platform-name.ts';
import { usePreload } from '../../../lib/preload.ts';
import { Customise } from '../channels/customise.tsx';
import { labelOf } from '../channels/label.ts';
import classes from '../composer.module.css';
import type { Composing } from '../use-composer.ts';
import { longestThread } from '../validation/checked-texts.ts';
import type { Validation } from '../validation/use-validation.ts';
import { TextField } from './field.tsx';
import { ThreadParts } from './thread-parts.tsx';

const loadCounterList = () => import('./counter-list.tsx');
const CounterList = lazy(loadCounterList);
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
  withFiles,
  onSeparateFiles,
  previewed,
  onPreview,
  ...checked
}: Checked & {
  composing: Composing;
  chosen: readonly Connection[];
  /** Actions besides writing. */
  tools: ReactNode;
  /** The channels that get the shared files. */
  withFiles: readonly Connection[];
  onSeparateFiles: (platformId: string) => void;
  previewed: string | null;
  /** The preview follows the text that has the focus. */
  onPreview: (platformId: string) => void;
}) {
  const { draft, change } = composing;
  usePreload(loadCounterList);
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
  const separate = useCallback((id: string) => change({ type: 'own', id }), [change]);
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
      <Customise chosen={chosen} withText={sharing} withFiles={withFiles} onText={separate} onFiles={onSeparateFiles} />
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
      {channels.length > 0 && (
        <Suspense fallback={<Box h={22} mt={8} />}>
          <CounterList text={value} chosen={channels} validation={validation} limits={limits} />
        </Suspense>
      )}
      <ThreadParts chosen={channels} validation={validation} />
      {children}
    </Box>
  );
}
