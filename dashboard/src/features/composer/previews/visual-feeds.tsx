import {
  IconBookmark,
  IconHeart,
  IconMessageCircle,
  IconSend,
  IconShare3,
  IconThumbDown,
  IconThumbUp,
} from '@tabler/icons-react';
import { useState } from 'react';
import { channelName } from '../../../components/channels/avatar.tsx';
import { Author } from './author.tsx';
import { instagramRatio, type Size } from './instagram-ratio.ts';
import { File } from './media-grid.tsx';
import { Actions } from './microblogs.tsx';
import { PostText } from './post-text.tsx';
import type { PreviewMedia, PreviewProps } from './preview.ts';
import classes from './previews.module.css';

/** Networks where image or video comes first. */

export function InstagramPreview({ channel, parts, media, settings }: PreviewProps) {
  const [size, setSize] = useState<Size | null>(null);
  return (
    <>
      <Author channel={channel} line={channelName(channel)} />
      <Stage
        media={media}
        ratio={instagramRatio(media, settings, size)}
        onSize={setSize}
        needs="Instagram needs an image or video."
      />
      <Actions icons={[IconHeart, IconMessageCircle, IconSend, IconBookmark]} />
      <PostText text={parts.join('\n\n')} foldAt={125} />
    </>
  );
}

export function TiktokPreview({ channel, parts, media }: PreviewProps) {
  return (
    <>
      <Stage media={media} shape="tall" needs="TikTok needs a video." />
      <Author channel={channel} line={channelName(channel)} />
      <PostText text={parts.join('\n\n')} foldAt={80} />
      <Actions icons={[IconHeart, IconMessageCircle, IconBookmark, IconShare3]} />
    </>
  );
}

export function YoutubePreview({ channel, parts, media, settings }: PreviewProps) {
  const text = parts.join('\n\n');
  const title =
    typeof settings.title === 'string' && settings.title !== '' ? settings.title : [...text].slice(0, 70).join('');
  return (
    <>
      <Stage media={media} shape="wide" needs="YouTube needs a video." />
      <strong className={classes.title} dir="auto">
        {title || 'Title'}
      </strong>
      <Author channel={channel} line={channelName(channel)} />
      <PostText text={text} foldAt={157} />
      <Actions icons={[IconThumbUp, IconThumbDown, IconShare3]} />
    </>
  );
}

/** The first file, with the number of files to swipe through. */
function Stage({
  media,
  needs,
  shape,
  ratio,
  onSize,
}: {
  media: readonly PreviewMedia[];
  needs: string;
  shape?: 'tall' | 'wide';
  /** Instead of a shape. */
  ratio?: number;
  onSize?: (size: Size) => void;
}) {
  const [first] = media;
  return (
    <div className={classes.stage} data-shape={shape} style={ratio ? { aspectRatio: ratio } : undefined}>
      {first ? <File file={first} onSize={onSize} /> : <span className={classes.dimmed}>{needs}</span>}
      {media.length > 1 && <span className={classes.pages}>1/{media.length}</span>}
    </div>
  );
}
