import type { ListedMedia } from '@crier/client';
import { AspectRatio, Center } from '@mantine/core';
import { IconFileText, IconPhoto, IconPhotoOff, IconVideo } from '@tabler/icons-react';
import { useState } from 'react';
import { thumbnailOf } from '../../lib/files/media-path.ts';
import classes from './media-card.module.css';

/** The thumbnail of a file, or an icon for its type. */
export const MediaPicture = ({ media }: { media: ListedMedia }) => (
  <AspectRatio ratio={4 / 3} className={classes.frame}>
    {/* A new address may work where the one before didn't. */}
    <Picture key={media.url} media={media} />
  </AspectRatio>
);

function Picture({ media: { type, status, url, altText } }: { media: ListedMedia }) {
  const [isBroken, setBroken] = useState(false);
  // Until all its bytes are stored, a file has an address, but no thumbnail.
  if (type === 'image' && status === 'ready' && url && !isBroken) {
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
  const Icon = iconOf(type, status);
  return (
    <Center c="dimmed">
      <Icon size={36} stroke={1.4} aria-hidden />
    </Center>
  );
}

function iconOf(type: ListedMedia['type'], status: ListedMedia['status']) {
  if (type === 'image') return status === 'uploading' ? IconPhoto : IconPhotoOff;
  return type === 'video' ? IconVideo : IconFileText;
}
