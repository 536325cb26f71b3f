import { useCallback, useEffect, useRef } from 'react';
import type { MediaStep } from '../draft.ts';
import type { Change } from '../use-composer.ts';

/**
 * Changes of files take effect on the server at once. When the history of the draft leaves one of them, it is taken back; when it
 * comes to it again, it is made again. Returns what records a change that was just made.
 */
export function useMediaSteps(steps: readonly MediaStep[], change: Change): (step: MediaStep) => void {
  const before = useRef(steps);
  const known = useRef(new WeakSet<MediaStep>());
  useEffect(() => {
    const left = before.current.filter((step) => !steps.includes(step));
    const come = steps.filter((step) => !before.current.includes(step));
    before.current = steps;
    for (const step of left.toReversed()) step.undo();
    for (const step of come) {
      if (known.current.has(step)) step.redo();
      known.current.add(step);
    }
  }, [steps]);
  return useCallback((step) => change({ type: 'media', step }), [change]);
}
