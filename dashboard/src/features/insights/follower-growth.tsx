import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { count } from '../../lib/post-summary.ts';
import { followerGrowthQuery } from './insights-queries.ts';

const GrowthChart = lazy(() => import('./growth-chart.tsx'));

/** Who began to follow in the last 30 days, which only LinkedIn tells day by day. */
export function FollowerGrowth({ channel }: { channel: string }) {
  const { data: days, error, refetch } = useQuery(followerGrowthQuery(channel));
  if (!days && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!days) return <Skeleton height={220} role="status" aria-label="Loading the followers" />;
  const told = days.filter((day) => day.count !== null);
  if (told.length === 0) return <Text c="dimmed">LinkedIn does not tell how followers of this account grew.</Text>;
  const total = told.reduce((sum, day) => sum + (day.count ?? 0), 0);
  return (
    <>
      <Text size="sm" mb="sm">
        {count(total, 'new follower')} in the {count(told.length, 'day')} of which LinkedIn tells.
      </Text>
      <Suspense fallback={<Skeleton height={220} />}>
        <GrowthChart days={days} />
      </Suspense>
    </>
  );
}
