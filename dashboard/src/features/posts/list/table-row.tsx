// biome-ignore-all lint/a11y/useSemanticElements: rows of a table element can't become cards on a phone.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells of a table aren't focusable.
import { Checkbox } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { BrandName } from '../../../components/brands/brand-name.tsx';
import { NetworkIcons } from '../../../components/channels/network-icons.tsx';
import { LabelChips } from '../../../components/labels/label-chip.tsx';
import { PostLink } from '../../../components/post-link.tsx';
import { PostThumbnail } from '../../../components/post-thumbnail.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import type { Brand } from '../../../lib/brands/use-brands.ts';
import { firstWords, reasonOf, shownStatus, timeOf } from '../../../lib/posts/post-summary.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime, formatDay } from '../../../lib/time/time.ts';
import type { PostRow } from './rows.ts';
import classes from './table.module.css';

export function PostTableRow({
  post,
  index,
  offset,
  measure,
  isSelected,
  brand,
  stranded,
  onToggle,
}: {
  post: PostRow;
  index: number;
  offset: number;
  measure: (element: HTMLElement | null) => void;
  isSelected: boolean;
  brand: Brand | null;
  /** Why it can't be published as scheduled. */
  stranded: string | null;
  /** `isRange`: with Shift. */
  onToggle: (id: string, isRange: boolean) => void;
}) {
  const preferences = useTimePreferences();
  const words = firstWords(post.content, 140);
  const time = timeOf(post);
  const reason = reasonOf(post);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      data-selected={isSelected || undefined}
      ref={measure}
      className={classes.row}
      style={{ transform: `translateY(${offset}px)` }}
    >
      <span role="cell" className={classes.check}>
        <Checkbox
          aria-label={`Select ${firstWords(post.content, 40)}`}
          checked={isSelected}
          onChange={({ nativeEvent }) => onToggle(post.postGroupId, (nativeEvent as MouseEvent).shiftKey === true)}
        />
      </span>
      <span role="cell" className={classes.post}>
        <PostThumbnail thumbnail={post.thumbnail} />
        <div className={classes.about}>
          <PostTitle post={post} words={words} brand={brand} />
          {brand && (
            <span className={classes.reason}>
              <BrandName brand={brand} />
            </span>
          )}
          {reason && (
            <span className={classes.reason} dir="auto">
              {reason}
            </span>
          )}
          {stranded && (
            <span className={classes.stranded}>
              <IconAlertTriangle size={13} aria-hidden /> {stranded}
            </span>
          )}
          <LabelChips labels={post.labels} userId={post.userId} />
        </div>
      </span>
      <span role="cell" className={classes.networks}>
        <NetworkIcons platforms={post.platforms.map(({ platform }) => platform)} />
      </span>
      <span role="cell" className={classes.time}>
        {time ? formatDateTime(time, preferences) : 'No time set'}
      </span>
      <span role="cell" className={classes.created}>
        <Day at={post.createdAt} />
      </span>
      <span role="cell" className={classes.updated}>
        <Day at={post.updatedAt} />
      </span>
      <span role="cell" className={classes.status}>
        <StatusBadge status={shownStatus(post)} />
      </span>
    </div>
  );
}

function Day({ at }: { at: string | undefined }) {
  const preferences = useTimePreferences();
  if (!at) return null;
  return (
    <time dateTime={at} title={formatDateTime(at, preferences)}>
      {formatDay(at, preferences)}
    </time>
  );
}

/** Composer drafts open in the composer. */
function PostTitle({ post, words, brand }: { post: PostRow; words: string; brand: Brand | null }) {
  const look = { className: classes.words, dir: 'auto', 'data-empty': !post.content.trim() || undefined } as const;
  return post.draftId ? (
    <Link to="/compose" search={{ draft: post.draftId }} {...look}>
      {words}
    </Link>
  ) : (
    <PostLink postGroupId={post.postGroupId} brand={brand} {...look}>
      {words}
    </PostLink>
  );
}
