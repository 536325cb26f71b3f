import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { useTimePreferences } from '../../lib/time/preferences.ts';
import { formatDateKey } from '../../lib/time/time.ts';

interface Props {
  days: readonly { date: string; [metric: string]: unknown }[];
  series: readonly { name: string; label: string; color: string }[];
}

/** Daily numbers. Days without data interrupt the line. The text next to the chart has the totals. */
export default function DayChart({ days, series }: Props) {
  const { locale } = useTimePreferences();
  return (
    <LineChart
      h={220}
      data={days.map((day) => ({ ...day, date: formatDateKey(day.date, locale, { day: 'numeric', month: 'short' }) }))}
      dataKey="date"
      series={[...series]}
      withLegend={series.length > 1}
      legendProps={{ itemSorter: null }}
      connectNulls={false}
      curveType="linear"
      xAxisProps={{ interval: 'equidistantPreserveStart' }}
      yAxisProps={{ allowDecimals: false }}
      tickLine="none"
      lineChartProps={{ accessibilityLayer: false }}
      aria-hidden
    />
  );
}
