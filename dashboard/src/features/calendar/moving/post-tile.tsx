import { useDraggable } from '@dnd-kit/core';
import { IconAlertTriangle, IconCheck, IconCircleDashed, IconClock, IconLoader2 } from '@tabler/icons-react';
import { memo, useLayoutEffect, useRef } from 'react';
import { networkNames } from '../../../components/channels/network-icons.tsx';
import { PlatformIcon } from '../../../components/channels/platform-icon.tsx';
import { LightLink } from '../../../components/light-link.tsx';
import { PostThumbnail } from '../../../components/post-thumbnail.tsx';
import { statusLabel } from '../../../components/status-badge.tsx';
import { firstWords, isMovable, type PostSummary, shownStatus, timeOf } from '../../../lib/post-summary.ts';
import { formatTime } from '../../../lib/time/time.ts';
import { useCalendar } from '../calendar-context.ts';
import classes from './post-tile.module.css';
import { whyNotMovable } from './use-moves.ts';

/** A post on the calendar. Click or Enter opens it; dragging or Space moves it. */
export function PostTile({ post }: { post: PostSummary }) {
  const { moves, preferences } = useCalendar();
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: post.postGroupId, data: post });
  const link = useRef<HTMLAnchorElement>(null);
  const isPickedUp = moves.pickedUpId === post.postGroupId;
  // A post moved by keyboard to another day is remounted there and needs focus again.
  useLayoutEffect(() => {
    if (isPickedUp) link.current?.focus();
  }, [isPickedUp]);
  const time = timeOf(post);
  const label = [
    time && formatTime(time, preferences),
    firstWords(post.content, 60),
    networkNames(post.platforms.map(({ platform }) => platform)),
    statusLabel(shownStatus(post)),
  ];
  const canMove = isMovable(post);
  return (
    <div
      ref={setNodeRef}
      {...listeners}
      className={classes.place}
      data-dragging={isDragging && canMove ? true : undefined}
    >
      <LightLink
        ref={link}
        href={`/posts/${post.postGroupId}`}
        className={classes.link}
        draggable={false}
        data-picked-up={isPickedUp || undefined}
        title={canMove ? undefined : whyNotMovable(post)}
        aria-label={label.filter(Boolean).join(', ')}
        aria-describedby={canMove ? 'calendar-keys' : undefined}
        onKeyDown={(event) => moves.onKeyDown(event, post)}
      >
        <TileFace post={post} />
      </LightLink>
    </div>
  );
}

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

/** The tile's appearance, in place or while dragged. */
export const TileFace = memo(function TileFace({ post, isLifted }: { post: PostSummary; isLifted?: boolean }) {
  const { preferences } = useCalendar();
  const status = shownStatus(post);
  const Icon = statusIcons[status as keyof typeof statusIcons] ?? IconClock;
  const time = timeOf(post);
  const platforms = [...new Set(post.platforms.map(({ platform }) => platform))];
  return (
    <div className={classes.tile} data-status={status} data-lifted={isLifted}>
      <div className={classes.line}>
        <Icon size={13} className={classes.icon} aria-hidden />
        <span className={classes.time}>{time && breakable(formatTime(time, preferences))}</span>
        <span className={classes.networks}>
          {platforms.map((platform, index) => (
            <PlatformIcon
              key={platform}
              platform={platform}
              size={12}
              className={platforms.length > 3 && index > 0 ? classes.extra : classes.network}
            />
          ))}
          {platforms.length > 3 && <span className={classes.others} data-count={`+${platforms.length - 1}`} />}
        </span>
      </div>{' '}
      <span className={classes.words} dir="auto">
        {firstWords(post.content, 60)}
      </span>
      <span className={classes.thumbnail}>
        <PostThumbnail thumbnail={post.thumbnail} size={30} />
      </span>
    </div>
  );
});
