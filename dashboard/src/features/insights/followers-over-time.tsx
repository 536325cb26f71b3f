import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { count } from '../../lib/post-summary.ts';
import { followerGrowthQuery } from './insights-queries.ts';

const DayChart = lazy(() => import('./day-chart.tsx'));

const series = [{ name: 'count', label: 'New followers', color: 'indigo.6' }];

/** Only LinkedIn tells of the past. */
export function FollowersOverTime({ channel, platform }: { channel: string; platform: string }) {
  if (platform === 'linkedin') return <FollowerGrowth channel={channel} />;
  const name = platformName(platform);
  return (
    <Text size="sm" c="dimmed">
      {name} tells how many follow now, not how many did before, and Crier keeps no record of past readings.
    </Text>
  );
}

/** Who began to follow in the last 30 days. */
function FollowerGrowth({ channel }: { channel: string }) {
  const { data: days, error, refetch } = useQuery(followerGrowthQuery(channel));
  if (!days && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!days) return <Skeleton height={220} role="status" aria-label="Loading the followers" />;
  const told = days.filter((day) => day.count !== null);
  if (told.length === 0) return <Text c="dimmed">LinkedIn does not tell how the followers of this account grew.</Text>;
  const total = told.reduce((sum, day) => sum + (day.count ?? 0), 0);
  return (
    <>
      <Text size="sm" mb="sm">
        {count(total, 'new follower')} in the {count(told.length, 'day')} of which LinkedIn tells.
      </Text>
      <Suspense fallback={<Skeleton height={220} />}>
        <DayChart days={days} series={series} />
      </Suspense>
    </>
  );
}
