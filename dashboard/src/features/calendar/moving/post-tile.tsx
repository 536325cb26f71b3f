import { useDraggable } from '@dnd-kit/core';
import { IconAlertTriangle, IconCheck, IconCircleDashed, IconClock, IconLoader2 } from '@tabler/icons-react';
import { type CSSProperties, memo, useLayoutEffect, useRef } from 'react';
import { BrandName } from '../../../components/brands/brand-name.tsx';
import { networkNames } from '../../../components/channels/network-icons.tsx';
import { PlatformIcon } from '../../../components/channels/platform-icon.tsx';
import { PostLink } from '../../../components/post-link.tsx';
import { PostThumbnail } from '../../../components/post-thumbnail.tsx';
import { statusLabel } from '../../../components/status-badge.tsx';
import { firstWords, isMovable, type PostSummary, shownStatus, timeOf } from '../../../lib/posts/post-summary.ts';
import { formatTime } from '../../../lib/time/time.ts';
import { useCalendar } from '../calendar-context.ts';
import { edgeOf } from '../options/colours.ts';
import type { Dragged } from './dragged.ts';
import classes from './post-tile.module.css';
import { whyNotMovable } from './use-moves.ts';

/** A post on the calendar. Click or Enter opens it; dragging or Space moves it. */
export function PostTile({ post }: { post: PostSummary }) {
  const { moves, preferences, brandOf, strandedNote } = useCalendar();
  const brand = brandOf(post);
  const { setNodeRef, listeners, isDragging } = useDraggable({
    id: post.postGroupId,
    data: { post } satisfies Dragged,
  });
  const link = useRef<HTMLAnchorElement>(null);
  const isPickedUp = moves.pickedUpId === post.postGroupId;
  // A post moved by keyboard to another day is remounted there and needs focus again.
  useLayoutEffect(() => {
    if (isPickedUp) link.current?.focus();
  }, [isPickedUp]);
  const time = timeOf(post);
  const stranded = strandedNote(post);
  const label = [
    time && formatTime(time, preferences),
    brand?.name,
    wordsOf(post),
    networkNames(post.platforms.map(({ platform }) => platform)),
    statusLabel(shownStatus(post)),
    stranded,
  ];
  const canMove = isMovable(post);
  return (
    <div
      ref={setNodeRef}
      {...listeners}
      className={classes.place}
      data-post={post.postGroupId}
      data-dragging={isDragging && canMove ? true : undefined}
    >
      <PostLink
        ref={link}
        postGroupId={post.postGroupId}
        brand={brand}
        className={classes.link}
        draggable={false}
        data-picked-up={isPickedUp || undefined}
        title={canMove ? (stranded ?? undefined) : whyNotMovable(post)}
        aria-label={label.filter(Boolean).join(', ')}
        aria-describedby={canMove ? 'calendar-keys' : undefined}
        onKeyDown={(event) => moves.onKeyDown(event, post)}
      >
        <TileFace post={post} />
      </PostLink>
    </div>
  );
}

/** As much as the compact list has: a tile cuts what doesn't fit. */
const wordsOf = ({ content }: PostSummary) => firstWords(content, 140);

/** In a narrow month "9:00 AM" needs two lines. */
const breakable = (time: string) => time.replace(/\s/gu, ' ');

const statusIcons = {
  draft: IconCircleDashed,
  scheduled: IconClock,
  publishing: IconLoader2,
  published: IconCheck,
  partially_published: IconAlertTriangle,
  failed: IconAlertTriangle,
};

/** The icons that fit beside the time. A wide tile shows all, and a narrow one has a line for them. */
const maxIcons = 3;

/** The tile's appearance, in place or while dragged. */
export const TileFace = memo(function TileFace({ post, isLifted }: { post: PostSummary; isLifted?: boolean }) {
  const { preferences, brandOf, strandedNote, pageBrand, colouring } = useCalendar();
  const brand = brandOf(post);
  const edge = edgeOf(post, brand ?? pageBrand, colouring);
  const status = shownStatus(post);
  const isStranded = strandedNote(post) !== null;
  const Icon = isStranded ? IconAlertTriangle : (statusIcons[status as keyof typeof statusIcons] ?? IconClock);
  const time = timeOf(post);
  const platforms = [...new Set(post.platforms.map(({ platform }) => platform))];
  return (
    <div
      className={classes.tile}
      data-status={status}
      data-stranded={isStranded || undefined}
      data-lifted={isLifted}
      data-branded={brand ? true : undefined}
      data-coloured={edge ? true : undefined}
      style={edge ? ({ '--edge': edge } as CSSProperties) : undefined}
    >
      <div className={classes.line}>
        <Icon size={13} className={classes.icon} aria-hidden />
        <span className={classes.time}>{time && breakable(formatTime(time, preferences))}</span>
        <span className={classes.networks}>
          {platforms.map((platform, index) => (
            <PlatformIcon
              key={platform}
              platform={platform}
              size={14}
              className={platforms.length > maxIcons && index >= maxIcons - 1 ? classes.extra : classes.network}
            />
          ))}
          {platforms.length > maxIcons && (
            <span className={classes.others} data-count={`+${platforms.length - maxIcons + 1}`} />
          )}
        </span>
      </div>{' '}
      {brand && (
        <span className={classes.brand}>
          <BrandName brand={brand} />
        </span>
      )}{' '}
      <span className={classes.words} dir="auto">
        {wordsOf(post)}
      </span>
      <span className={classes.thumbnail}>
        <PostThumbnail thumbnail={post.thumbnail} size={30} />
      </span>
    </div>
  );
});
