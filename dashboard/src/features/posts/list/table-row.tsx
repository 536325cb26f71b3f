// biome-ignore-all lint/a11y/useSemanticElements: rows of a table element can't become cards on a phone.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells of a table aren't focusable.
import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { NetworkIcons } from '../../../components/channels/network-icons.tsx';
import { PostThumbnail } from '../../../components/post-thumbnail.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { firstWords, reasonOf, shownStatus, timeOf } from '../../../lib/post-summary.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime } from '../../../lib/time/time.ts';
import type { PostRow } from './queries.ts';
import classes from './table.module.css';

export function PostTableRow({
  post,
  index,
  offset,
  measure,
  isSelected,
  onToggle,
}: {
  post: PostRow;
  index: number;
  offset: number;
  measure: (element: HTMLElement | null) => void;
  isSelected: boolean;
  onToggle: (id: string) => void;
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
          onChange={() => onToggle(post.postGroupId)}
        />
      </span>
      <span role="cell" className={classes.post}>
        <PostThumbnail thumbnail={post.thumbnail} />
        <div className={classes.about}>
          <PostLink post={post} words={words} />
          {reason && (
            <span className={classes.reason} dir="auto">
              {reason}
            </span>
          )}
        </div>
      </span>
      <span role="cell" className={classes.networks}>
        <NetworkIcons platforms={post.platforms.map(({ platform }) => platform)} />
      </span>
      <span role="cell" className={classes.time}>
        {time ? formatDateTime(time, preferences) : 'No time set'}
      </span>
      <span role="cell" className={classes.status}>
        <StatusBadge status={shownStatus(post)} />
      </span>
    </div>
  );
}

/** Composer drafts open in the composer. */
function PostLink({ post, words }: { post: PostRow; words: string }) {
  const look = { className: classes.words, dir: 'auto', 'data-empty': !post.content.trim() || undefined } as const;
  return post.draftId ? (
    <Link to="/compose" search={{ draft: post.draftId }} {...look}>
      {words}
    </Link>
  ) : (
    <Link to="/posts/$postGroupId" params={{ postGroupId: post.postGroupId }} {...look}>
      {words}
    </Link>
  );
}
