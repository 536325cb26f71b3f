import { useDraggable, useDroppable } from '@dnd-kit/core';
import { Text } from '@mantine/core';
import { IconGripVertical, IconPlus } from '@tabler/icons-react';
import { useLayoutEffect, useRef } from 'react';
import { NetworkIcons, networkNames } from '../../components/channels/network-icons.tsx';
import { LightLink } from '../../components/light-link.tsx';
import { PostLink } from '../../components/post-link.tsx';
import { PostThumbnail } from '../../components/post-thumbnail.tsx';
import { StatusBadge, statusLabel } from '../../components/status-badge.tsx';
import { newPostHref } from '../../lib/brands/brand.ts';
import { platformName, platformOf } from '../../lib/platform-name.ts';
import { firstWords, isMovable, shownStatus } from '../../lib/posts/post-summary.ts';
import { dateAndTimeOf } from '../../lib/time/new-post-time.ts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { formatDay, formatTime } from '../../lib/time/time.ts';
import type { Reorder } from './moving/use-reorder.ts';
import classes from './queue.module.css';
import type { Place } from './queue-days.ts';

type Filled = Extract<Place, { post: object }>;
type Free = Exclude<Place, Filled>;

/** A post: click or Enter opens it, dragging or Space moves it. */
export function PostRow({ place, reorder }: { place: Filled; reorder: Reorder }) {
  const preferences = useTimePreferences();
  const { post, at, isInSlot } = place;
  const drag = useDraggable({ id: post.postGroupId, data: post });
  const drop = useDroppable({ id: `on ${post.postGroupId}`, data: place });
  const link = useRef<HTMLAnchorElement>(null);
  const isPickedUp = reorder.pickedUpId === post.postGroupId;
  // A post moved by keyboard to another day is remounted there and needs focus again.
  useLayoutEffect(() => {
    if (isPickedUp) link.current?.focus();
  }, [isPickedUp]);
  const canMove = isMovable(post);
  const time = formatTime(at, preferences);
  const platforms = post.platforms.map(({ platform }) => platform);
  const label = [
    `${time} ${firstWords(post.content, 140)}`,
    !isInSlot && 'Not in a slot',
    !canMove && statusLabel(shownStatus(post)),
    networkNames(platforms),
  ];
  return (
    <li
      ref={(node) => {
        drag.setNodeRef(node);
        drop.setNodeRef(node);
      }}
      {...drag.listeners}
      className={classes.row}
      data-over={(drop.isOver && !drag.isDragging) || undefined}
      data-dragging={(drag.isDragging && canMove) || undefined}
    >
      <PostLink
        ref={link}
        postGroupId={post.postGroupId}
        brand={null}
        className={classes.link}
        draggable={false}
        data-picked-up={isPickedUp || undefined}
        aria-label={label.filter(Boolean).join(', ')}
        aria-describedby={canMove ? 'queue-keys' : undefined}
        onKeyDown={(event) => reorder.onKeyDown(event, post)}
      >
        <IconGripVertical size={16} className={classes.grip} aria-hidden style={{ opacity: canMove ? 1 : 0 }} />
        <span className={classes.time}>{time}</span> <PostThumbnail thumbnail={post.thumbnail} size={36} />
        <span className={classes.words} dir="auto">
          {firstWords(post.content, 140)}
        </span>{' '}
        <span className={classes.facts}>
          {!isInSlot && (
            <Text span size="xs" c="dimmed">
              Not in a slot
            </Text>
          )}
          <NetworkIcons platforms={platforms} />
          {!canMove && <StatusBadge status={shownStatus(post)} />}
        </span>
      </PostLink>
    </li>
  );
}

/** A slot without a post: a click writes one for it. */
export function FreeRow({ place, channel }: { place: Free; channel: string | null }) {
  const preferences = useTimePreferences();
  const { at, key } = place;
  const { setNodeRef, isOver } = useDroppable({ id: key, data: place });
  const forChannel = place.platformId ?? channel;
  const time = formatTime(at, preferences);
  const network = place.platformId && platformName(platformOf(place.platformId));
  const label = [`${time} Free slot`, formatDay(at, preferences), network];
  return (
    <li ref={setNodeRef} className={classes.row} data-over={isOver || undefined}>
      <LightLink
        href={newPostHref({
          ...dateAndTimeOf(new Date(at), preferences.zone),
          ...(forChannel && { channel: forChannel }),
        })}
        className={`${classes.link} ${classes.free}`}
        draggable={false}
        aria-label={label.filter(Boolean).join(', ')}
      >
        <IconPlus size={16} aria-hidden />
        <span className={classes.time}>{time}</span> <span className={classes.words}>Free slot</span>
        {place.platformId && <NetworkIcons platforms={[platformOf(place.platformId)]} />}
      </LightLink>
    </li>
  );
}
