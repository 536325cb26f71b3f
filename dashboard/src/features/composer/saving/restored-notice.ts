import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import type { Composing, Start } from '../use-composer.ts';
import { isScheduled } from './autosaver.ts';

const id = 'restored-notice';

/** Reports that changes which were not saved last time are back, until they are saved, discarded or left. */
export function useRestoredNotice({ saver, saveState }: Composing, { unsaved }: Start) {
  const isRestored = unsaved !== null;
  useEffect(() => {
    if (!isRestored) return;
    // A draft saves itself. A scheduled post waits for a decision.
    const autoClose = isScheduled(saver.place) ? false : 4000;
    notifications.show({ id, message: 'Your unsaved changes are restored.', autoClose });
    return () => void notifications.hide(id);
  }, [isRestored, saver]);
  const isSettled = saveState.kind === 'saved' || saveState.kind === 'idle';
  useEffect(() => {
    if (isSettled && !saver.hasUnsaved && isScheduled(saver.place)) notifications.hide(id);
  }, [isSettled, saver]);
}
