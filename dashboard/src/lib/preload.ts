import { useEffect } from 'react';

type Load = () => Promise<unknown>;

/** Late enough not to compete with what the page itself loads. */
const pauseMs = 3000;

/** Loads code before it is needed. If that fails, it is loaded again when it is. */
export const preload = (load: Load) => void load().catch(() => undefined);

/** Loads code that a page doesn't begin with: immediately if it is needed soon, otherwise once the page has loaded. */
export function usePreload(load: Load, isSoon = false) {
  useEffect(() => {
    if (isSoon) return preload(load);
    const timer = setTimeout(() => preload(load), pauseMs);
    return () => clearTimeout(timer);
  }, [load, isSoon]);
}
