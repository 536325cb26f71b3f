import { Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useSessionOver } from '../../../lib/session-over.ts';
import { type Autosaver, isScheduled } from './autosaver.ts';

/** Saves changes before leaving. If that fails, asks the user. */
export function LeaveGuard({ saver }: { saver: Autosaver }) {
  const isSignedOut = useSessionOver();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const isWithin = current.fullPath.startsWith('/compose') && next.fullPath.startsWith('/compose');
      if (!saver.hasUnsaved || (isWithin && isOwn(saver, next))) return false;
      if (isScheduled(saver.place)) return true;
      return !(await saver.flush());
    },
    enableBeforeUnload: () => saver.hasUnsaved,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title="Leave without saving?"
      confirm="Leave"
      cancel="Stay"
      opened
      action={{ mutate: proceed }}
      onClose={reset}
    >
      <Text size="sm">
        Your latest changes aren’t saved on the server.{' '}
        {isSignedOut
          ? 'You’ve signed out, so this browser no longer keeps them. Stay and sign in again to save them.'
          : 'This browser keeps them and restores them when you reopen this post here.'}
      </Text>
    </ConfirmDialog>
  );
}

/** Whether the new address belongs to the draft in this composer. */
function isOwn({ place }: Autosaver, { params, search }: { params: object; search: object }): boolean {
  const { postGroupId, draft }: { postGroupId?: string; draft?: string } = { ...params, ...search };
  if (place.kind === 'post') return postGroupId === place.postGroupId;
  return postGroupId === undefined && draft === (place.kind === 'draft' ? place.draftId : undefined);
}
