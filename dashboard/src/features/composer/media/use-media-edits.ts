import { useCallback, useEffect, useRef } from 'react';
import type { MediaEdit } from '../draft.ts';
import type { Change } from '../use-composer.ts';

/**
 * File changes take effect on the server immediately. Undoing the draft past a change reverts it; redoing applies it again. Returns
 * the function that records a change.
 */
export function useMediaEdits(edits: readonly MediaEdit[], change: Change): (edit: MediaEdit) => void {
  const before = useRef(edits);
  const known = useRef(new WeakSet<MediaEdit>());
  useEffect(() => {
    const left = before.current.filter((edit) => !edits.includes(edit));
    const come = edits.filter((edit) => !before.current.includes(edit));
    before.current = edits;
    for (const edit of left.toReversed()) edit.undo();
    for (const edit of come) {
      if (known.current.has(edit)) edit.redo();
      known.current.add(edit);
    }
  }, [edits]);
  return useCallback((edit) => change({ type: 'media', edit }), [change]);
}
