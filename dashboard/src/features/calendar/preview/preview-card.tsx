import { Button, Group, Paper, Portal, Text } from '@mantine/core';
import { IconClockEdit, IconCopy, IconEdit } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { BrandName } from '../../../components/brands/brand-name.tsx';
import { channelName } from '../../../components/channels/avatar.tsx';
import { PlatformIcon } from '../../../components/channels/platform-icon.tsx';
import { LabelChips } from '../../../components/labels/label-chip.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PostThumbnail } from '../../../components/post-thumbnail.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { allBrands, rememberOwners, searchOf, useBrand } from '../../../lib/brands/brand.ts';
import { platformName } from '../../../lib/platform-name.ts';
import {
  firstWords,
  isMovable,
  type PostSummary,
  reasonOf,
  shownStatus,
  timeOf,
} from '../../../lib/posts/post-summary.ts';
import { channelsQuery, postQuery } from '../../../lib/queries.ts';
import { formatDateTime } from '../../../lib/time/time.ts';
import { textOf } from '../../posts/post/details.ts';
import { useDuplicate } from '../../posts/post/use-duplicate.ts';
import { useCalendar } from '../calendar-context.ts';
import classes from './preview-card.module.css';

const maxThumbnails = 4;
const maxChannels = 5;

interface Props {
  post: PostSummary;
  tile: HTMLElement;
  onReschedule: () => void;
}

/** The list has the beginning of the text and one file. The rest follows when it has loaded. */
export default function PreviewCard(props: Props) {
  return (
    <Portal>
      <Card {...props} />
    </Portal>
  );
}

function Card({ post, tile, onReschedule }: Props) {
  const { preferences, brandOf, strandedNote } = useCalendar();
  const brand = brandOf(post);
  const card = useRef<HTMLDivElement>(null);
  if (brand) rememberOwners([post]);
  const { data: whole } = useQuery(postQuery(post.postGroupId));
  const text = (whole ? textOf(whole) : post.content).trim();
  const time = timeOf(post);
  const reason = reasonOf(post) ?? strandedNote(post);
  const place = usePlace(card, tile);
  return (
    <Paper
      ref={card}
      component="section"
      aria-label={`Preview of “${firstWords(post.content, 40)}”`}
      data-preview
      shadow="lg"
      withBorder
      className={classes.card}
      style={place}
    >
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={600}>
          {time ? formatDateTime(time, preferences) : 'No time set'}
        </Text>
        <StatusBadge status={shownStatus(post)} flex="none" />
      </Group>
      {brand && (
        <Text size="xs" c="dimmed" component="div">
          <BrandName brand={brand} />
        </Text>
      )}
      <Text size="sm" lineClamp={8} dir="auto" className={classes.text}>
        {text || 'No text yet'}
      </Text>
      <Thumbnails post={post} media={whole ? distinct(whole.media) : null} />
      <Channels post={post} />
      <LabelChips labels={post.labels} userId={post.userId} />
      {reason && (
        <Text size="xs" c="red" dir="auto">
          {reason}
        </Text>
      )}
      <Actions post={post} onReschedule={onReschedule} />
    </Paper>
  );
}

type File = { type: string | null; url: string | null };

/** Several channels may have separate copies of a file. */
const distinct = (media: readonly File[]): readonly File[] => [
  ...new Map(media.map(({ type, url }, index) => [url ?? index, { type, url }])).values(),
];

function Thumbnails({ post, media }: { post: PostSummary; media: readonly File[] | null }) {
  const files = media?.map(({ type, url }) => ({
    type: (type ?? 'document') as 'image' | 'video' | 'document',
    url: url ?? '/media/none',
  }));
  const shown = files ?? (post.thumbnail ? [post.thumbnail] : []);
  if (shown.length === 0) return null;
  return (
    <Group gap={6}>
      {shown.slice(0, maxThumbnails).map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the files is fixed.
        <PostThumbnail key={index} thumbnail={file} size={56} />
      ))}
      {shown.length > maxThumbnails && (
        <Text size="xs" c="dimmed">
          +{shown.length - maxThumbnails}
        </Text>
      )}
    </Group>
  );
}

function Channels({ post: { platforms } }: { post: PostSummary }) {
  const { data: channels = [] } = useQuery(channelsQuery);
  const nameOf = (platformId: string, platform: string) => {
    const channel = channels.find((one) => one.platformId === platformId);
    return channel ? channelName(channel) : platformName(platform);
  };
  return (
    <div className={classes.channels}>
      {platforms.length === 0 && 'No channel yet'}
      {platforms.slice(0, maxChannels).map(({ platformId, platform }) => (
        <Group key={platformId} gap={6} wrap="nowrap">
          <PlatformIcon platform={platform} size={14} style={{ flex: 'none' }} />
          <Text size="xs" truncate dir="auto">
            {nameOf(platformId, platform)}
          </Text>
        </Group>
      ))}
      {platforms.length > maxChannels && `and ${platforms.length - maxChannels} more`}
    </div>
  );
}

function Actions({ post, onReschedule }: { post: PostSummary; onReschedule: () => void }) {
  const { brandOf } = useCalendar();
  const brand = brandOf(post);
  const isAll = useBrand() === allBrands;
  const { data: whole } = useQuery(postQuery(post.postGroupId));
  const canEdit = isMovable(post);
  return (
    <Group gap={6}>
      {canEdit && (
        <ButtonLink
          to="/compose/$postGroupId"
          params={{ postGroupId: post.postGroupId }}
          search={isAll ? { brand: searchOf(brand).brand } : {}}
          preload={false}
          size="compact-sm"
          variant="light"
          leftSection={<IconEdit size={14} aria-hidden />}
        >
          Edit
        </ButtonLink>
      )}
      {canEdit && post.scheduledTime && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconClockEdit size={14} aria-hidden />}
          onClick={onReschedule}
        >
          Reschedule
        </Button>
      )}
      {whole && <DuplicateButton post={whole} />}
    </Group>
  );
}

function DuplicateButton({ post }: { post: Parameters<typeof useDuplicate>[0] }) {
  const duplicate = useDuplicate(post);
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconCopy size={14} aria-hidden />}
      loading={duplicate.isPending}
      onClick={() => duplicate.mutate(null)}
    >
      Duplicate
    </Button>
  );
}

const gap = 6;

/** Beside the tile, on the side with room, and never beyond the window. */
function usePlace(card: React.RefObject<HTMLElement | null>, tile: HTMLElement) {
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null);
  useLayoutEffect(() => {
    const element = card.current;
    if (!element) return;
    const put = () => {
      const at = tile.getBoundingClientRect();
      const { offsetWidth: width, offsetHeight: height } = element;
      const right = at.right + gap;
      const left = at.left - gap - width;
      const fits = right + width <= window.innerWidth - gap;
      const top = Math.max(gap, Math.min(at.top, window.innerHeight - height - gap));
      // In the day view, a tile is as wide as the page: below or above it.
      if (!fits && left < gap) {
        const below = at.bottom + gap;
        const isBelow = below + height <= window.innerHeight - gap;
        setPlace({
          left: Math.max(gap, Math.min(at.left + 60, window.innerWidth - width - gap)),
          top: isBelow ? below : Math.max(gap, at.top - gap - height),
        });
      } else setPlace({ left: fits ? right : left, top });
    };
    const observer = new ResizeObserver(put);
    observer.observe(element);
    put();
    return () => observer.disconnect();
  }, [card, tile]);
  return place ?? { visibility: 'hidden' as const };
}
