import { Button, Group, Modal, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { notifyError, notifyWithUndo } from '../../../components/notify.tsx';
import { type Move, movePosts, reversed } from '../../../lib/posts/move-posts.ts';
import { count } from '../../../lib/posts/post-summary.ts';
import { dateAndTimeOf } from '../../../lib/time/new-post-time.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime } from '../../../lib/time/time.ts';
import { type PlannedTime, WhenFields } from '../../composer/schedule/fields.tsx';
import { useWhen } from '../../composer/schedule/use-when.ts';
import type { PostRow } from '../list/rows.ts';
import { type OffsetUnit, type Plan, planMove, planMoves } from './reschedule.ts';

const units: readonly OffsetUnit[] = ['minutes', 'hours', 'days', 'weeks'];

interface Props {
  posts: readonly PostRow[];
  opened: boolean;
  onClose: () => void;
  onMoved: () => void;
}

/** Moves one post to a new time, or several by the same offset. */
export function RescheduleDialog({ posts, opened, onClose, onMoved }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Reschedule ${count(posts.length, 'post')}`} centered>
      {posts.length === 1 ? (
        <NewTime post={posts[0]!} onClose={onClose} onMoved={onMoved} />
      ) : (
        <Offset posts={posts} onClose={onClose} onMoved={onMoved} />
      )}
    </Modal>
  );
}

function NewTime({ post, ...props }: { post: PostRow } & Pick<Props, 'onClose' | 'onMoved'>) {
  const { zone } = useTimePreferences();
  const [{ date, time }, setFields] = useState(() =>
    post.scheduledTime ? dateAndTimeOf(new Date(post.scheduledTime), zone) : { date: '', time: '' },
  );
  const { when, timeIn } = useWhen({ date, time }, zone);
  const fields = useMemo<PlannedTime>(
    () => ({
      draft: { date, time, channels: [] },
      change: ({ type: _, ...changed }) => setFields((before) => ({ ...before, ...changed })),
    }),
    [date, time],
  );
  return (
    <MovePlan plan={planMove(post, when.kind === 'at' ? when.at : null)} {...props}>
      <WhenFields fields={fields} when={when} timeIn={timeIn} timeZone={zone} />
    </MovePlan>
  );
}

function Offset({ posts, ...props }: Pick<Props, 'posts' | 'onClose' | 'onMoved'>) {
  const { zone } = useTimePreferences();
  const [amount, setAmount] = useState<number | string>(1);
  const [unit, setUnit] = useState<OffsetUnit>('days');
  const [direction, setDirection] = useState<'later' | 'earlier'>('later');
  const signed = (Number(amount) || 0) * (direction === 'later' ? 1 : -1);
  const plan = planMoves(posts, { amount: signed, unit }, zone, new Date());
  return (
    <MovePlan plan={signed === 0 ? { ...plan, moves: [] } : plan} {...props}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <NumberInput
          label="Move by"
          min={1}
          max={999}
          value={amount}
          onChange={setAmount}
          flex="0 1 88px"
          data-autofocus
        />
        <Select
          aria-label="Unit"
          flex={1}
          data={units.map((value) => ({ value, label: Number(amount) === 1 ? value.slice(0, -1) : value }))}
          value={unit}
          allowDeselect={false}
          onChange={(value) => value && setUnit(value as OffsetUnit)}
        />
        <Select
          aria-label="Direction"
          flex={1}
          data={['later', 'earlier']}
          value={direction}
          allowDeselect={false}
          onChange={(value) => value && setDirection(value as typeof direction)}
        />
      </Group>
    </MovePlan>
  );
}

/** The fields, what they would move, and the buttons. */
function MovePlan({
  plan,
  onClose,
  onMoved,
  children,
}: { plan: Plan; children: ReactNode } & Pick<Props, 'onClose' | 'onMoved'>) {
  const client = useQueryClient();
  const moving = useMutation({
    // The plan changes as soon as the new times are shown, so pass the moves explicitly.
    mutationFn: async (moves: readonly Move[]) => {
      const failure = await movePosts(client, moves);
      if (failure) throw failure;
    },
    onSuccess: (_, moves) => {
      const undo = async () => {
        const failure = await movePosts(client, reversed(moves));
        if (failure) notifyError('Some posts couldn’t be moved back', failure);
      };
      notifyWithUndo(`Moved ${count(moves.length, 'post')}.`, () => void undo());
      onClose();
      onMoved();
    },
  });
  return (
    <Stack>
      {moving.error && <ErrorState error={moving.error} />}
      {children}
      <MovePreview plan={plan} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={plan.moves.length === 0} loading={moving.isPending} onClick={() => moving.mutate(plan.moves)}>
          Move {count(plan.moves.length, 'post')}
        </Button>
      </Group>
    </Stack>
  );
}

/** A preview of the result. */
function MovePreview({ plan: { moves, fixed, past } }: { plan: Plan }) {
  const preferences = useTimePreferences();
  const first = [...moves].sort((a, b) => a.from.localeCompare(b.from))[0];
  return (
    <Text size="sm" c="dimmed" component="div" role="status">
      {first && (
        <div>
          The {moves.length > 1 ? 'first post' : 'post'} moves from {formatDateTime(first.from, preferences)} to{' '}
          {formatDateTime(first.to, preferences)}.
        </div>
      )}
      {fixed > 0 && <div>{count(fixed, 'post')} can’t be moved: no time set or already sent.</div>}
      {past > 0 && <div>{count(past, 'post')} would be in the past and won’t be moved.</div>}
    </Text>
  );
}
