import type { ListedMedia } from '@crier/client';
import { AspectRatio, Center } from '@mantine/core';
import { IconFileText, IconPhotoOff, IconVideo } from '@tabler/icons-react';
import { useState } from 'react';
import { thumbnailOf } from '../../lib/files/media-path.ts';
import classes from './media-card.module.css';

/** The thumbnail of a file, or an icon for its type. */
export const MediaPicture = ({ media }: { media: ListedMedia }) => (
  <AspectRatio ratio={4 / 3} className={classes.frame}>
    <Picture media={media} />
  </AspectRatio>
);

function Picture({ media: { type, url, altText } }: { media: ListedMedia }) {
  const [isBroken, setBroken] = useState(false);
  if (type === 'image' && url && !isBroken) {
    return (
      <img
        src={thumbnailOf(url)}
        alt={altText ?? ''}
        loading="lazy"
        decoding="async"
        className={classes.picture}
        onError={() => setBroken(true)}
      />
    );
  }
  const Icon = type === 'video' ? IconVideo : type === 'document' ? IconFileText : IconPhotoOff;
  return (
    <Center c="dimmed">
      <Icon size={36} stroke={1.4} aria-hidden />
    </Center>
  );
}
