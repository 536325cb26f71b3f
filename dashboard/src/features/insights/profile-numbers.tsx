import { Card, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../../components/error-state.tsx';
import { Ago } from '../../components/when.tsx';
import { platformName } from '../../lib/platform-name.ts';
import { Figure } from './figure.tsx';
import { profileNumbersQuery } from './insights-queries.ts';
import { Notes } from './notes.tsx';

/** The account's numbers as last read. */
export function ProfileNumbers({ channel, platform }: { channel: string; platform: string }) {
  const { data, error, refetch } = useQuery(profileNumbersQuery(channel));
  if (!data && error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={96} role="status" aria-label="Loading account" />;
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: data.numbers.length > 3 ? 6 : 3 }}>
        {data.numbers.map(({ name, value }) => (
          <Card key={name} withBorder padding="md">
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <Text fz={value === null ? 'sm' : 28} fw={value === null ? 400 : 650} mt={4} component="div">
              <Figure value={value} platform={platform} />
            </Text>
          </Card>
        ))}
      </SimpleGrid>
      {data.readAt && (
        <Text size="sm" c="dimmed" component="div">
          Data from {platformName(platform)}, updated <Ago at={data.readAt} />
        </Text>
      )}
      <Notes notes={data.notes} />
    </Stack>
  );
}
