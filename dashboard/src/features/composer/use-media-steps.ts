import { useCallback, useEffect, useRef } from 'react';
import type { Change } from './use-composer.ts';

export interface MediaStep {
  undo(): void;
  redo(): void;
}

/**
 * Changes of files take effect on the server at once. The history of the draft counts them, and what takes them back and
 * makes them again is kept here. Returns what records a step that was just made.
 */
export function useMediaSteps(mediaStep: number, change: Change): (step: MediaStep) => void {
  const steps = useRef<MediaStep[]>([]);
  const done = useRef(mediaStep);
  useEffect(() => {
    for (; done.current > mediaStep; done.current -= 1) steps.current[done.current - 1]?.undo();
    for (; done.current < mediaStep; done.current += 1) steps.current[done.current]?.redo();
  }, [mediaStep]);
  return useCallback(
    (step) => {
      steps.current.length = done.current;
      steps.current.push(step);
      done.current += 1;
      change({ type: 'media', step: done.current });
    },
    [change],
  );
}
