import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { count } from '../../../lib/posts/post-summary.ts';
import type { PostRow } from '../list/rows.ts';
import { BulkResults } from './bulk-results.tsx';
import type { Change, Outcome } from './changes.ts';
import { useBulkRun } from './use-bulk-run.ts';

/** A dialog that changes the posts one by one, and then reports the result of each. */
export function BulkFrame({
  title,
  confirm,
  posts,
  change,
  showsStatus = false,
  onDone,
  children,
}: {
  title: string;
  /** The label of the button. */
  confirm: string;
  posts: readonly PostRow[];
  /** Null: not chosen yet, or not possible. */
  change: Change | null;
  /** Follows the posts until they are published. */
  showsStatus?: boolean;
  onDone: () => void;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(true);
  const { state, outcomes, start, stop, id } = useBulkRun(posts);
  const close = () => {
    if (state === 'running') return;
    setOpen(false);
    if (state === 'over') onDone();
  };
  const begin = () => change && start(change);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={title}
      centered
      closeOnClickOutside={state === 'ready'}
      withCloseButton={state !== 'running'}
    >
      <Stack>
        {state === 'ready' ? (
          children
        ) : (
          <BulkResults posts={posts} outcomes={outcomes} followed={showsStatus ? id : null} />
        )}
        {state === 'running' && (
          <Progress value={(100 * outcomes.size) / posts.length} aria-label="Progress" transitionDuration={150} />
        )}
        {state !== 'ready' && (
          <Text size="sm" c="dimmed" role="status">
            {summaryOf(posts.length, [...outcomes.values()], state === 'running')}
          </Text>
        )}
        {/* The second click of a double click must not stop what the first one started. */}
        <Group justify={state === 'running' ? 'flex-start' : 'flex-end'}>
          {state === 'ready' && (
            <>
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button disabled={change === null} onClick={begin}>
                {confirm}
              </Button>
            </>
          )}
          {state === 'running' && (
            <Button variant="default" onClick={stop}>
              Stop
            </Button>
          )}
          {state === 'over' && (
            <>
              {isUnfinished(posts, outcomes) && (
                <Button variant="default" onClick={begin}>
                  {outcomes.size < posts.length ? 'Continue' : 'Try again'}
                </Button>
              )}
              <Button onClick={close} data-autofocus>
                Done
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

const isUnfinished = (posts: readonly PostRow[], outcomes: ReadonlyMap<string, Outcome>) =>
  outcomes.size < posts.length || [...outcomes.values()].some(({ kind }) => kind === 'failed');

function summaryOf(posts: number, outcomes: readonly Outcome[], isRunning: boolean): string {
  if (isRunning) return `${outcomes.length.toLocaleString('en')} of ${count(posts, 'post')}`;
  const of = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length;
  const parts = [
    [of('done'), 'done'],
    [of('skipped'), 'left unchanged'],
    [of('failed'), 'failed'],
    [posts - outcomes.length, 'not tried'],
  ] as const;
  return `${parts
    .filter(([number]) => number > 0)
    .map(([number, word], index) => `${index === 0 ? count(number, 'post') : number.toLocaleString('en')} ${word}`)
    .join(', ')}.`;
}
