import { Center } from '@mantine/core';
import { IconFileText, IconPhotoOff, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useState } from 'react';
import type { PostSummary } from '../lib/post-summary.ts';
import classes from './post-thumbnail.module.css';

/** The first file of a post, as decoration. A picture that cannot be loaded leaves a sign in its place. */
export function PostThumbnail({ thumbnail, size = 40 }: { thumbnail: PostSummary['thumbnail']; size?: number }) {
  const [isBroken, setBroken] = useState(false);
  if (!thumbnail) return null;
  const { type, url } = thumbnail;
  const Sign = type === 'video' ? IconPlayerPlayFilled : type === 'document' ? IconFileText : IconPhotoOff;
  return (
    <Center className={classes.frame} w={size} h={size} aria-hidden>
      {type === 'image' && !isBroken ? (
        <img src={thumbnailOf(url)} alt="" loading="lazy" className={classes.image} onError={() => setBroken(true)} />
      ) : (
        <Sign size={Math.round(size * 0.45)} />
      )}
    </Center>
  );
}

/** A small version of a stored image, which the service makes once. */
export function thumbnailOf(url: string): string {
  const path = pathOf(url);
  return path.startsWith('/media/') ? `${path}${path.includes('?') ? '&' : '?'}thumbnail` : path;
}

/** Files are read from the address that this page came from, which may be another name of the same service. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname.startsWith('/media/') ? pathname + search : url;
}
