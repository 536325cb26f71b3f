import { useDroppable } from '@dnd-kit/core';
import { IconPlus } from '@tabler/icons-react';
import { BrandDot } from '../../../components/brands/brand-name.tsx';
import { PlatformIcon } from '../../../components/channels/platform-icon.tsx';
import { LightLink } from '../../../components/light-link.tsx';
import { newPostHref } from '../../../lib/brands/brand.ts';
import { platformName, platformOf } from '../../../lib/platform-name.ts';
import { dateAndTimeOf } from '../../../lib/time/new-post-time.ts';
import { formatDay, formatTime } from '../../../lib/time/time.ts';
import { useCalendar } from '../calendar-context.ts';
import type { DropTime } from '../moving/dragged.ts';
import type { SlotTime } from './free-slots.ts';
import classes from './slot-ghost.module.css';

/** A free posting slot: a click writes a post for it, and posts can be dropped on it. */
export function SlotGhost({ slot: { at, platformId, userId } }: { slot: SlotTime }) {
  const { preferences, brandOf } = useCalendar();
  const brand = brandOf({ userId });
  const dropTime: DropTime = () => at;
  const { setNodeRef, isOver } = useDroppable({
    id: `slot ${at.getTime()} ${platformId} ${userId}`,
    data: { dropTime },
  });
  const time = formatTime(at, preferences);
  const platform = platformId && platformOf(platformId);
  return (
    <LightLink
      ref={setNodeRef}
      href={newPostHref(
        { ...dateAndTimeOf(at, preferences.zone), ...(platformId && { channel: platformId }) },
        userId === undefined ? null : { id: brand?.id ?? null },
      )}
      className={classes.ghost}
      draggable={false}
      data-over={isOver || undefined}
      aria-label={`Free slot, ${formatDay(at, preferences)}, ${time}${[platform && platformName(platform), brand?.name].map((each) => (each ? `, ${each}` : '')).join('')}`}
      title="Free posting slot"
    >
      {brand ? <BrandDot brand={brand} size={10} /> : <IconPlus size={12} aria-hidden className={classes.plus} />}
      {time}
      {platform && <PlatformIcon platform={platform} size={14} className={classes.network} />}
    </LightLink>
  );
}
