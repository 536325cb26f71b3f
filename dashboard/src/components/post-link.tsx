import { useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';
import { postHref } from '../lib/brands/brand.ts';
import { isPlainClick, LightLink } from './light-link.tsx';

/** Opens a post in the side panel of the page. With a modifier, the browser opens the post's own page. */
export function PostLink({
  postGroupId,
  brand,
  onClick,
  ...rest
}: ComponentProps<'a'> & {
  postGroupId: string;
  /** Whose post it is, in a list of all brands. */
  brand: { id: string } | null;
}) {
  const router = useRouter();
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (!isPlainClick(event)) return;
    event.preventDefault();
    const panel = { post: postGroupId, owner: brand?.id };
    void router.navigate({
      to: '.',
      search: (search) => ({ ...search, ...panel }),
      state: { isPanel: true },
      resetScroll: false,
    });
  };
  return <LightLink {...rest} href={postHref(postGroupId, brand)} onClick={open} />;
}
