import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';

/** New followers day by day. A day of which the network does not tell interrupts the line. */
export default function GrowthChart({ days }: { days: readonly { date: string; count: number | null }[] }) {
  return (
    <LineChart
      h={220}
      data={days.map(({ date, count }) => ({ date, count: count ?? undefined }))}
      dataKey="date"
      series={[{ name: 'count', label: 'New followers', color: 'indigo.6' }]}
      connectNulls={false}
      curveType="linear"
      yAxisProps={{ allowDecimals: false }}
      tickLine="none"
      aria-hidden
    />
  );
}
