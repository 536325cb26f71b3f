import type { DropAnimation } from '@dnd-kit/core';
import { useReducedMotion } from '@mantine/hooks';

const animation: DropAnimation = { duration: 150, easing: 'cubic-bezier(0.2, 0, 0, 1)' };

/** What is dropped glides to its new place. The library animates without CSS, so the preference has to be read here. */
export function useDropAnimation(): DropAnimation | null {
  const isReduced = useReducedMotion(false, { getInitialValueInEffect: false });
  return isReduced ? null : animation;
}
