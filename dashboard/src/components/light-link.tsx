import { useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';

/**
 * A link for pages with hundreds of links. The router's own link subscribes to every address change and takes about a quarter of
 * a millisecond to render.
 */
export function LightLink({ href, onClick, ...rest }: ComponentProps<'a'> & { href: string }) {
  const router = useRouter();
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!isPlainClick(event)) return;
    event.preventDefault();
    void router.navigate({ href });
  };
  return <a {...rest} href={href} onClick={open} />;
}

/** With a modifier or another button the browser opens a tab or window, or saves the page. */
export const isPlainClick = (event: MouseEvent) =>
  !event.defaultPrevented && event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
