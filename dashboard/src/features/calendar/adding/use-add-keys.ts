import { type RefObject, useEffect, useLayoutEffect } from 'react';

const steps: Record<string, (columns: number) => number> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
};

/** Makes all "+" of a view one tab stop, among which arrow keys move the focus. */
export function useAddKeys(view: RefObject<HTMLElement | null>, columns: number) {
  useLayoutEffect(() => {
    const links = addLinksIn(view.current);
    if (links[0] && !links.some(({ tabIndex }) => tabIndex === 0)) links[0].tabIndex = 0;
  });
  useEffect(() => {
    const element = view.current;
    const onKeyDown = (event: KeyboardEvent) => {
      const link = event.target as HTMLElement;
      const step = steps[event.key];
      if (!step || link.dataset.add === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      const next = Number(link.dataset.add) + step(columns);
      const target = addLinksIn(element).find(({ dataset }) => dataset.add === String(next));
      event.preventDefault();
      if (!target) return;
      link.tabIndex = -1;
      target.tabIndex = 0;
      target.focus();
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [view, columns]);
}

const addLinksIn = (view: HTMLElement | null) => [...(view?.querySelectorAll<HTMLElement>('[data-add]') ?? [])];
