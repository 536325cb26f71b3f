import { Center } from '@mantine/core';
import { IconFileText, IconPhotoOff, IconPlayerPlayFilled } from '@tabler/icons-react';
import { useState } from 'react';
import { thumbnailOf } from '../lib/files/media-path.ts';
import type { PostSummary } from '../lib/posts/post-summary.ts';
import classes from './post-thumbnail.module.css';

/** The post's first file, decorative. Falls back to an icon when it can't be loaded. */
export function PostThumbnail({ thumbnail, size = 40 }: { thumbnail: PostSummary['thumbnail']; size?: number }) {
  const [isBroken, setBroken] = useState(false);
  if (!thumbnail) return null;
  const { type, url } = thumbnail;
  const Icon = type === 'video' ? IconPlayerPlayFilled : type === 'document' ? IconFileText : IconPhotoOff;
  return (
    <Center className={classes.frame} w={size} h={size} aria-hidden>
      {type === 'image' && !isBroken ? (
        <img src={thumbnailOf(url)} alt="" loading="lazy" className={classes.image} onError={() => setBroken(true)} />
      ) : (
        <Icon size={Math.round(size * 0.45)} />
      )}
    </Center>
  );
}
