import { type RefObject, useEffect, useState } from 'react';

export interface Previewed {
  postGroupId: string;
  tile: HTMLElement;
}

/** Long enough that a pointer on its way elsewhere opens nothing. */
const openMs = 450;
/** Long enough to reach the card from the tile. */
const closeMs = 180;

/**
 * The post whose tile the pointer rests on, or that the keyboard has focused. One listener for all tiles, which may be hundreds.
 * A press closes the preview, so that it is never in the way of a drag.
 */
export function usePreviewed(within: RefObject<HTMLElement | null>) {
  const [previewed, setPreviewed] = useState<Previewed | null>(null);
  useEffect(() => {
    const root = within.current;
    if (!root) return;
    const listening = new AbortController();
    const { signal } = listening;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isPressed = false;
    let shown: HTMLElement | null = null;
    const set = (next: Previewed | null) => {
      shown = next?.tile ?? null;
      setPreviewed(next);
    };
    const later = (act: () => void, ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(act, ms);
    };
    const close = () => {
      clearTimeout(timer);
      set(null);
    };
    const closeSoon = () => later(close, closeMs);
    const tileOf = (target: EventTarget | null) =>
      target instanceof Element ? target.closest<HTMLElement>('[data-post]') : null;
    const show = (target: EventTarget | null) => {
      const tile = tileOf(target);
      const postGroupId = tile?.dataset.post;
      if (!tile || !postGroupId || isPressed) return;
      if (tile === shown) return clearTimeout(timer);
      // The tile may have been scrolled away from the pointer, or have lost the focus.
      later(() => tile.matches(':hover, :focus-within') && set({ postGroupId, tile }), openMs);
    };
    const isTouch = (event: Event) => event instanceof PointerEvent && event.pointerType === 'touch';
    // The preview opens once the pointer rests.
    root.addEventListener('pointermove', (event) => !isTouch(event) && show(event.target), { signal });
    root.addEventListener(
      'focusin',
      ({ target }) => target instanceof Element && target.matches(':focus-visible') && show(target),
      { signal },
    );
    // Also of the card itself, which is elsewhere in the document.
    document.addEventListener(
      'pointerover',
      ({ target }) => {
        if (!(target instanceof Element)) return;
        if (target.closest('[data-preview]')) clearTimeout(timer);
        else if (!tileOf(target)) closeSoon();
      },
      { signal },
    );
    // A click into the card takes the focus, too.
    root.addEventListener('focusout', () => !document.querySelector('[data-preview]:hover') && closeSoon(), { signal });
    const onPress = ({ target, button }: PointerEvent) => {
      isPressed = button === 0;
      if (!(target instanceof Element && target.closest('[data-preview]'))) close();
    };
    const onRelease = () => {
      isPressed = false;
    };
    document.addEventListener('pointerdown', onPress, { signal, capture: true });
    for (const type of ['pointerup', 'pointercancel'])
      document.addEventListener(type, onRelease, { signal, capture: true });
    // Escape, and the keys that move a post.
    document.addEventListener('keydown', ({ key }) => key !== 'Tab' && close(), { signal, capture: true });
    document.addEventListener('scroll', () => shown && close(), { signal, capture: true, passive: true });
    return () => {
      listening.abort();
      clearTimeout(timer);
    };
  }, [within]);
  return [previewed, () => setPreviewed(null)] as const;
}
