import { Badge, type BadgeProps } from '@mantine/core';
import {
  type Icon,
  IconAlertTriangle,
  IconCheck,
  IconCircleDashed,
  IconClock,
  IconLoader2,
  IconQuestionMark,
} from '@tabler/icons-react';
import { tintOf } from './tint.ts';

const looks: Record<string, { word: string; color: string; icon: Icon }> = {
  draft: { word: 'Draft', color: 'gray', icon: IconCircleDashed },
  scheduled: { word: 'Scheduled', color: 'blue', icon: IconClock },
  pending: { word: 'Waiting', color: 'blue', icon: IconClock },
  publishing: { word: 'Publishing', color: 'indigo', icon: IconLoader2 },
  processing: { word: 'Publishing', color: 'indigo', icon: IconLoader2 },
  published: { word: 'Published', color: 'green', icon: IconCheck },
  posted: { word: 'Published', color: 'green', icon: IconCheck },
  partially_published: { word: 'Partially published', color: 'orange', icon: IconAlertTriangle },
  failed: { word: 'Failed', color: 'red', icon: IconAlertTriangle },
  unknown: { word: 'Unknown', color: 'orange', icon: IconQuestionMark },
};

/** A status as a word with an icon, never colour alone. */
export function StatusBadge({ status, ...props }: { status: string } & Omit<BadgeProps, 'color' | 'children'>) {
  const { word, color, icon: Icon } = looks[status] ?? { word: status, color: 'gray', icon: IconCircleDashed };
  return (
    <Badge
      variant="light"
      color={color}
      {...tintOf(color)}
      leftSection={<Icon size={12} aria-hidden />}
      fw={600}
      {...props}
    >
      {word}
    </Badge>
  );
}

export const statusLabel = (status: string) => looks[status]?.word ?? status;
