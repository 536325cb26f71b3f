import type { PostGroup, PostLog } from '@crier/client';
import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PlatformIcon } from '../../../components/channels/platform-icon.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { dateKeyOf, formatDay, formatTime } from '../../../lib/time/time.ts';
import { logsQuery } from '../list/queries.ts';
import { describeLog } from './details.ts';
import classes from './history.module.css';

/** The post's log, newest first. */
export function History({ post }: { post: PostGroup }) {
  const { data: logs, error, isPending, refetch } = useQuery(logsQuery(post.postGroupId));
  return (
    <section aria-label="History">
      <Title order={2} size="h4" mb="sm">
        History
      </Title>
      {isPending && <Skeleton height={120} aria-label="Loading history" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {logs?.length === 0 && <Text c="dimmed">No activity yet.</Text>}
      {logs && logs.length > 0 && (
        <Stack component="ol" gap={0} className={classes.list}>
          {logs.toReversed().map((log) => (
            <Entry key={log._id} log={log} post={post} />
          ))}
        </Stack>
      )}
    </section>
  );
}

function Entry({ log, post: { posts, scheduledTime } }: { log: PostLog; post: PostGroup }) {
  const preferences = useTimePreferences();
  const { createdAt, platform } = log;
  const isToday = dateKeyOf(createdAt, preferences.zone) === dateKeyOf(new Date(), preferences.zone);
  return (
    <Group component="li" gap="md" wrap="nowrap" align="baseline" className={classes.entry}>
      <Text size="sm" c="dimmed" className={classes.time} component="time" dateTime={createdAt}>
        {isToday ? '' : `${formatDay(createdAt, preferences)}, `}
        {formatTime(createdAt, preferences, '2-digit')}
      </Text>
      <Group gap={6} wrap="nowrap" align="baseline" miw={0}>
        {posts.length > 1 && platform && <PlatformIcon platform={platform} size={14} className={classes.icon} />}
        <Text size="sm" dir="auto">
          {describeLog(log, scheduledTime)}
        </Text>
      </Group>
    </Group>
  );
}
