import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { firstWords } from '../../lib/post-summary.ts';
import type { PostNumbers } from './insights-queries.ts';

const series = [
  { name: 'reactions', label: 'Reactions', color: 'indigo.6' },
  { name: 'comments', label: 'Comments', color: 'teal.6' },
  { name: 'reposts', label: 'Reposts', color: 'orange.6' },
] as const;

/** The latest posts side by side, oldest first. What the network did not tell leaves a gap. */
export default function PostChart({ posts }: { posts: readonly PostNumbers[] }) {
  const data = posts
    .slice(0, 10)
    .reverse()
    .map(({ content, reactions, comments, reposts }) => ({
      post: firstWords(content, 18),
      reactions: reactions ?? undefined,
      comments: comments ?? undefined,
      reposts: reposts ?? undefined,
    }));
  const told = series.filter(({ name }) => posts.some((post) => post[name] !== null));
  return (
    <BarChart
      h={260}
      data={data}
      dataKey="post"
      series={[...told]}
      withLegend
      yAxisProps={{ allowDecimals: false }}
      tickLine="none"
      barChartProps={{ accessibilityLayer: false }}
      aria-hidden
    />
  );
}
