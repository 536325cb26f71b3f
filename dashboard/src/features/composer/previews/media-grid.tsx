import { IconFileText, IconPhotoOff } from '@tabler/icons-react';
import type { SyntheticEvent } from 'react';
import { Picture } from '../../../components/picture.tsx';
import type { Size } from './instagram-ratio.ts';
import type { PreviewMedia } from './preview.ts';
import classes from './previews.module.css';

/** One image as is, several in a grid, with "+ n" for those that the network hides. */
export function MediaGrid({ media, max = 4 }: { media: readonly PreviewMedia[]; max?: number }) {
  if (media.length === 0) return null;
  const shown = media.slice(0, max);
  const hidden = media.length - shown.length;
  return (
    <div className={classes.grid} data-count={shown.length > 5 ? 'many' : shown.length}>
      {shown.map((file, index) => (
        <div key={file.id} className={classes.cell}>
          <File file={file} />
          {hidden > 0 && index === shown.length - 1 && <span className={classes.hidden}>+{hidden}</span>}
        </div>
      ))}
    </div>
  );
}

export function File({
  file: { kind, url, altText, name, poster },
  onSize,
}: {
  file: PreviewMedia;
  /** Called with the size in pixels once it is known. */
  onSize?: ((size: Size) => void) | undefined;
}) {
  if (!url) return <IconPhotoOff size={32} stroke={1.2} aria-label="File unavailable" />;
  if (kind === 'image') {
    const onLoad = ({
      currentTarget: { naturalWidth: width, naturalHeight: height },
    }: SyntheticEvent<HTMLImageElement>) => onSize?.({ width, height });
    return <Picture src={url} alt={altText} onLoad={onLoad} />;
  }
  if (kind === 'video') {
    const onLoadedMetadata = ({
      currentTarget: { videoWidth: width, videoHeight: height },
    }: SyntheticEvent<HTMLVideoElement>) => onSize?.({ width, height });
    // biome-ignore lint/a11y/useMediaCaption: the user's file has no captions here.
    return <video src={url} poster={poster} controls preload="metadata" onLoadedMetadata={onLoadedMetadata} />;
  }
  return (
    <span className={classes.document}>
      <IconFileText size={32} stroke={1.2} aria-hidden /> {name}
    </span>
  );
}
