import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ErrorState } from '../../components/error-state.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { count } from '../../lib/posts/post-summary.ts';
import { dailyNumbersQuery } from './insights-queries.ts';
import { Notes } from './notes.tsx';
import type { Day } from './source.ts';

const DayChart = lazy(() => import('./day-chart.tsx'));

const series = [
  { name: 'impressions', one: 'impression', label: 'Impressions', color: 'indigo.6' },
  { name: 'reactions', one: 'reaction', label: 'Reactions', color: 'teal.6' },
  { name: 'comments', one: 'comment', label: 'Comments', color: 'orange.6' },
  { name: 'reposts', one: 'repost', label: 'Reposts', color: 'grape.6' },
] as const;

/** Daily engagement across all posts of an account. */
export function DailyNumbers({ channel, platform }: { channel: string; platform: string }) {
  const { data, error, refetch } = useQuery(dailyNumbersQuery(channel));
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={220} role="status" aria-label="Loading the last 30 days" />;
  const reported = series.filter(({ name }) => data.days.some((day) => day[name] !== null));
  // Lines at zero would cover each other. The text has them.
  const drawn = reported.filter(({ name }) => sumOf(data.days, name) > 0);
  return (
    <Stack gap="sm">
      <Notes notes={data.notes} />
      {reported.length === 0 && <Text c="dimmed">{platformName(platform)} provides no daily data.</Text>}
      {reported.length > 0 && (
        <>
          <Text size="sm">{reported.map(({ name, one }) => count(sumOf(data.days, name), one)).join(', ')}.</Text>
          {drawn.length > 0 && (
            <Suspense fallback={<Skeleton height={220} />}>
              <DayChart days={data.days.map((day) => ({ ...day }))} series={drawn} />
            </Suspense>
          )}
        </>
      )}
    </Stack>
  );
}

const sumOf = (days: readonly Day[], name: (typeof series)[number]['name']): number =>
  days.reduce((sum, day) => sum + (day[name] ?? 0), 0);
