import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { memo } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { notifyWithUndo } from '../../components/notify.tsx';
import classes from './composer.module.css';
import { Conflict, isScheduled } from './saving/autosaver.ts';
import { SaveNote } from './saving/note.tsx';
import { dateFieldId } from './schedule/fields.tsx';
import { QueueMenu } from './schedule/queue-menu.tsx';
import type { When } from './schedule/when.ts';
import type { Composing } from './use-composer.ts';
import { useSubmit, type Wanted } from './use-submit.ts';
import { ValidationLine } from './validation/line.tsx';
import type { Validation } from './validation/use-validation.ts';

/** Validation, save state, and the buttons for a draft or a scheduled post. */
export const ActionBar = memo(function ActionBar({
  userId,
  saver,
  saveState,
  attached,
  change,
  hasChannels,
  hasText,
  isNothing,
  validation,
  when,
  timeZone,
  isUploading,
  onDiscard,
  unhealthy,
}: Pick<Composing, 'saver' | 'saveState' | 'attached' | 'change'> & {
  userId: string;
  hasChannels: boolean;
  hasText: boolean;
  /** Whether there is nothing to save. */
  isNothing: boolean;
  validation: Validation;
  when: When;
  timeZone: string;
  isUploading: boolean;
  /** Cancels uploads. */
  onDiscard: () => void;
  unhealthy: number;
}) {
  const { mutate, isPending, variables, error } = useSubmit(saver, { attached, when, timeZone, userId });
  // Enabled while a check is running: the service checks again, and a click must not get lost.
  const isReady = hasChannels && hasText && validation.errors.length === 0 && !isUploading;
  const isRefused = error !== null && !(error instanceof Conflict);
  const isTimed = when.kind === 'at';
  const isOfScheduled = isScheduled(saver.place);
  const canSchedule = isReady && isTimed && (!isOfScheduled || saver.hasUnsaved);
  const canPublish = isReady && when.kind === 'none' && !isOfScheduled;
  const submit = () => {
    if (isPending) return;
    if (canSchedule) mutate('schedule');
    else if (canPublish) mutate('publish');
  };
  // Also while writing.
  useHotkeys([['mod+Enter', submit]], []);
  const button = (wanted: Wanted) => ({
    px: 'sm',
    loading: isPending && variables === wanted,
    onClick: () => mutate(wanted),
  });
  const discard = () => {
    const { draft, stored } = saver;
    onDiscard();
    change({ type: 'reset', draft: stored });
    notifyWithUndo('Changes discarded.', () => change({ type: 'reset', draft }));
  };
  return (
    <Box className={classes.bar}>
      <Stack gap="sm">
        {isRefused && <ErrorState error={error} />}
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4} flex="1 1 300px" mih={36} justify="center">
            {/* "Ready" next to an error would contradict it. */}
            {!((isRefused || when.kind === 'past') && isReady && validation.warnings.length === 0) && (
              <ValidationLine
                hasChannels={hasChannels}
                hasText={hasText}
                validation={validation}
                unhealthy={unhealthy}
                isUploading={isUploading}
              />
            )}
            <Group gap="4px 16px">
              <SaveNote state={saveState} isReasonShown={saveState.kind === 'failed' && saveState.error === error} />
              {saveState.kind === 'idle' && isOfScheduled && (
                <Text size="sm" c="dimmed">
                  This post is scheduled.
                </Text>
              )}
              {isReady && when.kind !== 'at' && <NoDate when={when} />}
            </Group>
          </Stack>
          <div className={classes.buttons}>
            {isOfScheduled && saver.hasUnsaved && (
              <Button variant="subtle" color="gray" px="sm" onClick={discard}>
                Discard changes
              </Button>
            )}
            {isOfScheduled ? (
              <Button variant="subtle" {...button('unschedule')}>
                Unschedule
              </Button>
            ) : (
              <Button variant="subtle" disabled={isNothing} {...button('draft')}>
                Save draft
              </Button>
            )}
            <Button.Group>
              <Button
                variant={isTimed ? 'filled' : 'default'}
                disabled={!canSchedule}
                aria-keyshortcuts={isTimed ? 'Control+Enter Meta+Enter' : undefined}
                aria-describedby={isTimed ? undefined : noDateId}
                {...button('schedule')}
              >
                {isOfScheduled ? 'Save changes' : 'Schedule'}
              </Button>
              {!isOfScheduled && (
                <QueueMenu
                  isReady={isReady}
                  isPending={isPending && variables === 'queue'}
                  onQueue={() => mutate('queue')}
                />
              )}
            </Button.Group>
            <Button
              // With a date, publishing now isn't the main action.
              variant={when.kind === 'none' ? 'filled' : 'default'}
              disabled={!isReady}
              {...button('publish')}
            >
              Publish now
            </Button>
          </div>
        </Group>
      </Stack>
    </Box>
  );
});

const noDateId = 'no-date';

/** Why "Schedule" is disabled although the post is ready. The date field may be off screen. */
function NoDate({ when }: { when: Exclude<When, { kind: 'at' }> }) {
  const toDate = () => {
    const field = document.getElementById(dateFieldId);
    field?.focus({ preventScroll: true });
    // The bar covers the edge of a small screen.
    field?.scrollIntoView({ block: 'center' });
  };
  return (
    <Text size="sm" c={when.kind === 'past' ? 'var(--mantine-color-error)' : 'dimmed'} id={noDateId}>
      {when.kind === 'past' ? `${when.message} ` : 'To schedule, '}
      <Anchor component="button" type="button" size="sm" underline="always" onClick={toDate}>
        {when.kind === 'none' ? 'set a date' : when.kind === 'past' ? 'Change the date' : 'complete the date'}
      </Anchor>
      .
    </Text>
  );
}
