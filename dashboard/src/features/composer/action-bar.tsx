import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { memo } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { keys } from '../../lib/query-keys.ts';
import classes from './composer.module.css';
import { isBlank } from './draft.ts';
import { Conflict, isScheduled } from './saving/autosaver.ts';
import { hideDraftNotice, showDraftNotice } from './saving/draft-notice.ts';
import { updatePost } from './saving/effects.ts';
import { SaveNote } from './saving/note.tsx';
import { dateFieldId } from './schedule/fields.tsx';
import type { When } from './schedule/when.ts';
import type { Composing } from './use-composer.ts';
import { ValidationLine } from './validation/line.tsx';
import type { Validation } from './validation/use-validation.ts';

type Wanted = 'draft' | 'schedule' | 'publish';

/** Validation, save state, and "Save draft", "Schedule", "Publish now". */
export const ActionBar = memo(function ActionBar({
  draft,
  saver,
  saveState,
  validation,
  when,
  timeZone,
  isUploading,
  unhealthy,
}: Pick<Composing, 'draft' | 'saver' | 'saveState'> & {
  validation: Validation;
  when: When;
  timeZone: string;
  isUploading: boolean;
  unhealthy: number;
}) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { mutate, isPending, variables, error } = useMutation({
    async mutationFn(wanted: Wanted) {
      const wasScheduled = isScheduled(saver.place);
      if (wanted === 'draft' && !wasScheduled) return { wanted, wasScheduled, isDone: await saver.flush() };
      await saver.submit((place, drafts) => updatePost(place, drafts, fieldsFor(wanted, when), timeZone));
      return { wanted, wasScheduled, isDone: true };
    },
    async onSuccess({ wanted, wasScheduled, isDone }) {
      const { place } = saver;
      if (!isDone || place.kind !== 'post') return;
      void client.invalidateQueries({ queryKey: keys.posts });
      if (wanted === 'draft') {
        if (wasScheduled) showDraftNotice('requested');
        else notifications.show({ message: 'Draft saved.', position: 'top-center' });
        return;
      }
      hideDraftNotice();
      await client.invalidateQueries({ queryKey: keys.post(place.postGroupId) });
      await navigate({ to: '/posts/$postGroupId', params: { postGroupId: place.postGroupId } });
    },
  });
  const hasText = draft.text.trim() !== '' || validation.texts.length > 0;
  const isReady = draft.channels.length > 0 && hasText && validation.errors.length === 0 && !isUploading;
  const isRefused = error !== null && !(error instanceof Conflict);
  const isTimed = when.kind === 'at';
  const isNothing = saver.place.kind === 'nowhere' && isBlank(draft);
  const button = (wanted: Wanted) => ({
    loading: isPending && variables === wanted,
    onClick: () => mutate(wanted),
  });
  return (
    <Box className={classes.bar}>
      <Stack gap="sm">
        {isRefused && <ErrorState error={error} />}
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4} flex="1 1 300px" mih={36} justify="center">
            {/* "Ready" next to an error would contradict it. */}
            {!((isRefused || when.kind === 'past') && isReady && validation.warnings.length === 0) && (
              <ValidationLine draft={draft} validation={validation} unhealthy={unhealthy} isUploading={isUploading} />
            )}
            <Group gap="4px 16px">
              <SaveNote state={saveState} isReasonShown={saveState.kind === 'failed' && saveState.error === error} />
              {saveState.kind === 'idle' && isScheduled(saver.place) && (
                <Text size="sm" c="dimmed">
                  This post is scheduled. Press Schedule to apply your changes.
                </Text>
              )}
              {isReady && when.kind !== 'at' && <NoDate when={when} />}
            </Group>
          </Stack>
          <div className={classes.buttons}>
            <Button variant="subtle" px="sm" disabled={isNothing} {...button('draft')}>
              Save draft
            </Button>
            <Button
              variant={isTimed ? 'filled' : 'default'}
              px="sm"
              disabled={!isReady || !isTimed}
              aria-describedby={isTimed ? undefined : noDateId}
              {...button('schedule')}
            >
              Schedule
            </Button>
            <Button
              // With a date, publishing now isn't the main action.
              variant={when.kind === 'none' ? 'filled' : 'default'}
              px="sm"
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

function fieldsFor(wanted: Wanted, when: When) {
  if (wanted === 'publish') return { publishNow: true };
  const time = when.kind === 'at' ? { scheduledTime: when.at.toISOString() } : {};
  if (wanted === 'draft') return { status: 'draft' as const, ...time };
  if (when.kind !== 'at') throw new Error('Choose a date and time first.');
  return { status: 'scheduled' as const, ...time };
}
