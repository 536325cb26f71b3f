import type { PlatformPost } from '@crier/client';
import { Group, Text, Timeline } from '@mantine/core';
import { StatusBadge } from '../../../components/status-badge.tsx';

/** The parts of a thread, each with its status. */
export function ThreadParts({ parts }: { parts: PlatformPost['threadParts'] }) {
  const published = parts.filter(({ status }) => status === 'published').length;
  return (
    <Timeline bulletSize={14} lineWidth={2} active={published - 1}>
      {parts.map(({ index, content, status }) => (
        <Timeline.Item key={index}>
          <Group gap="xs" mb={4}>
            <Text size="xs" c="dimmed" fw={600}>
              {index + 1}/{parts.length}
            </Text>
            <StatusBadge status={status} size="sm" />
          </Group>
          <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
            {content}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
