import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { channelName } from '../../../components/channels/avatar.tsx';
import { PlatformIcon } from '../../../components/channels/platform-icon.tsx';
import { platformOf } from '../../../lib/platform-name.ts';
import { channelsQuery } from '../../../lib/queries.ts';
import { useTimePreferences } from '../../../lib/time/preferences.ts';
import { formatDateTime } from '../../../lib/time/time.ts';
import type { Meter, MeterPart } from './meters.ts';

/** A plan limit: usage, what happens at the limit, and when it resets. */
export function MeterCard({ meter }: { meter: Meter }) {
  const preferences = useTimePreferences();
  return (
    <Paper component="section" aria-label={meter.name} withBorder p="md" radius="lg">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Title order={3} size="h5">
            {meter.name}
          </Title>
          <Text size="sm" fw={500}>
            {meter.text}
          </Text>
        </Group>
        <Bar name={meter.name} text={meter.text} percent={meter.percent} />
        {meter.parts.map((part) => (
          <Part key={part.platformId} part={part} />
        ))}
        <Text size="sm" c="dimmed">
          {meter.atLimit}
          {meter.resetAt && ` Resets on ${formatDateTime(meter.resetAt, preferences)}.`}
          {meter.isShared && ' Shared by all users in the workspace.'}
        </Text>
      </Stack>
    </Paper>
  );
}

function Part({ part }: { part: MeterPart }) {
  const { data: channels = [] } = useQuery(channelsQuery);
  const channel = channels.find(({ platformId }) => platformId === part.platformId);
  const name = channel ? channelName(channel) : part.platformId;
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="xs" mb={4}>
        <Group gap={6} wrap="nowrap" miw={0}>
          <PlatformIcon platform={platformOf(part.platformId)} size={14} />
          <Text size="sm" truncate dir="auto">
            {name}
          </Text>
        </Group>
        <Text size="sm" flex="none">
          {part.text}
        </Text>
      </Group>
      <Bar name={name} text={part.text} percent={part.percent} />
    </div>
  );
}

function Bar({ name, text, percent }: { name: string; text: string; percent: number | null }) {
  if (percent === null) return null;
  const color = percent >= 100 ? 'red' : percent >= 80 ? 'orange' : undefined;
  return (
    <Progress.Root size="md" radius="xl">
      <Progress.Section value={percent} color={color} aria-label={name} aria-valuetext={text} />
    </Progress.Root>
  );
}
