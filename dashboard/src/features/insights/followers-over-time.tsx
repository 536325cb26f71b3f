import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { count } from '../../lib/posts/post-summary.ts';
import { followerGrowthQuery, hasNumbersByDay } from './insights-queries.ts';

const DayChart = lazy(() => import('./day-chart.tsx'));

const series = [{ name: 'count', label: 'New followers per day', color: 'indigo.6' }];

/** Few networks provide history. */
export function FollowersOverTime({ channel, platform }: { channel: string; platform: string }) {
  const name = platformName(platform);
  if (hasNumbersByDay(platform)) return <FollowerGrowth channel={channel} name={name} />;
  return (
    <Text size="sm" c="dimmed">
      {name} only provides the current follower count, and Crier doesn’t store earlier counts.
    </Text>
  );
}

/** New followers in the last 30 days. */
function FollowerGrowth({ channel, name }: { channel: string; name: string }) {
  const { data: days, error, refetch } = useQuery(followerGrowthQuery(channel));
  if (!days && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!days) return <Skeleton height={220} role="status" aria-label="Loading followers" />;
  const reported = days.filter((day) => day.count !== null);
  if (reported.length === 0) return <Text c="dimmed">{name} provides no follower history for this account.</Text>;
  const total = reported.reduce((sum, day) => sum + (day.count ?? 0), 0);
  return (
    <>
      <Text size="sm" mb="sm">
        {count(total, 'new follower')} in {count(reported.length, 'day')} of data from {name}.
      </Text>
      <Suspense fallback={<Skeleton height={220} />}>
        <DayChart days={days} series={series} />
      </Suspense>
    </>
  );
}
