import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { firstWords } from '../../lib/posts/post-summary.ts';
import type { PostNumbers } from './source.ts';

const series = [
  { name: 'reactions', label: 'Reactions', color: 'indigo.6' },
  { name: 'comments', label: 'Comments', color: 'teal.6' },
  { name: 'reposts', label: 'Reposts', color: 'orange.6' },
] as const;

/** The latest posts side by side, oldest first. Unreported numbers leave a gap. */
export default function PostChart({ posts }: { posts: readonly PostNumbers[] }) {
  const data = posts
    .slice(0, 10)
    .reverse()
    .map(({ content, reactions, comments, reposts }) => ({
      post: firstWords(content, 60),
      reactions: reactions ?? undefined,
      comments: comments ?? undefined,
      reposts: reposts ?? undefined,
    }));
  const reported = series.filter(({ name }) => posts.some((post) => post[name] !== null));
  return (
    <BarChart
      h={260}
      data={data}
      dataKey="post"
      series={[...reported]}
      withLegend
      legendProps={{ itemSorter: null }}
      xAxisProps={{ tickFormatter: shortened, interval: 'equidistantPreserveStart' }}
      yAxisProps={{ allowDecimals: false }}
      tickLine="none"
      barChartProps={{ accessibilityLayer: false }}
      aria-hidden
    />
  );
}

const maxWidth = 16;

/** Truncates a label to fit below a bar. CJK characters are twice as wide. */
function shortened(words: string): string {
  const letters = [...words];
  let width = 0;
  const end = letters.findIndex((letter) => {
    width += letter > '\u2e7f' ? 2 : 1;
    return width > maxWidth;
  });
  return end === -1 ? words : `${letters.slice(0, end).join('').trimEnd()}…`;
}
